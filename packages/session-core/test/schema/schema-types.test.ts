import type {
  AssistantMessage,
  ContentBlock,
  EntryOfType,
  ImageContent,
  isEntry,
  Message,
  SessionEntry,
  SessionHeader,
  TextContent,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "@treelog/session-core"
import type {
  checkEntry,
  contentSchema,
  entrySchema,
  entrySchemas,
  headerSchema,
  messageSchema,
  messageSchemas,
  usageSchema,
} from "@treelog/session-core/schema"
import { describe, expectTypeOf, it } from "vitest"
import type * as z from "zod/mini"

type KnownEntry = EntryOfType<Parameters<typeof isEntry>[1]>
type EntryHead = Pick<SessionEntry, "type" | "id" | "parentId" | "timestamp">

// Held by tsc: these tests fail when the types are checked, not when they run.

/** The type without its index signatures, at every depth: an interface is assignable to that, where it agrees. */
type Named<T> = T extends string
  ? T
  : T extends readonly (infer Item)[]
    ? Named<Item>[]
    : T extends object
      ? { [Key in keyof T as string extends Key ? never : Key]: Named<T[Key]> }
      : T

type Entries = typeof entrySchemas
type Messages = typeof messageSchemas
type Block<Type extends string> = Extract<z.output<typeof contentSchema>, { type: Type }>

describe("what a schema gives fits the type", () => {
  it("of the entries", () => {
    expectTypeOf<z.output<typeof entrySchema>>().toExtend<SessionEntry>()
    expectTypeOf<{ [Type in KnownEntry["type"]]: z.output<Entries[Type]> }>().toExtend<{
      [Type in KnownEntry["type"]]: Type extends "usage" | "model_usage"
        ? Extract<KnownEntry, { type: "usage" | "model_usage" }>
        : EntryOfType<Type>
    }>()
    expectTypeOf<z.output<Entries[keyof Entries]>>().toExtend<EntryHead>()
    expectTypeOf<Extract<ReturnType<typeof checkEntry>, { ok: true }>["entry"]>().toEqualTypeOf<SessionEntry>()
  })

  it("of the messages", () => {
    expectTypeOf<z.output<typeof messageSchema>>().toExtend<Message>()
    expectTypeOf<z.output<typeof usageSchema>>().toExtend<Usage>()
    expectTypeOf<z.output<Messages["user"]>>().toExtend<UserMessage>()
    expectTypeOf<z.output<Messages["assistant"]>>().toExtend<AssistantMessage>()
    expectTypeOf<z.output<Messages["toolResult"]>>().toExtend<ToolResultMessage>()
    expectTypeOf<z.output<Messages["bashExecution"]>>().toExtend<Extract<Message, { role: "bashExecution" }>>()
    expectTypeOf<z.output<Messages["custom"]>>().toExtend<Extract<Message, { role: "custom" }>>()
    expectTypeOf<z.output<Messages["branchSummary"]>>().toExtend<Extract<Message, { role: "branchSummary" }>>()
    expectTypeOf<z.output<Messages["compactionSummary"]>>().toExtend<Extract<Message, { role: "compactionSummary" }>>()
  })

  it("of the blocks and of the header", () => {
    expectTypeOf<z.output<typeof contentSchema>>().toExtend<ContentBlock>()
    expectTypeOf<Block<"text">>().toExtend<TextContent>()
    expectTypeOf<Block<"image">>().toExtend<ImageContent>()
    expectTypeOf<Block<"thinking">>().toExtend<Extract<ContentBlock, { type: "thinking" }>>()
    expectTypeOf<Block<"toolCall">>().toExtend<ToolCall>()
    expectTypeOf<z.output<typeof headerSchema>>().toExtend<SessionHeader>()
  })
})

describe("what the type allows, the schema takes", () => {
  it("of the entries", () => {
    expectTypeOf<Named<EntryOfType<"message">>>().toExtend<Named<z.input<Entries["message"]>>>()
    expectTypeOf<Named<EntryOfType<"model_change">>>().toExtend<Named<z.input<Entries["model_change"]>>>()
    expectTypeOf<Named<EntryOfType<"thinking_level_change">>>().toExtend<
      Named<z.input<Entries["thinking_level_change"]>>
    >()
    expectTypeOf<Named<EntryOfType<"compaction">>>().toExtend<Named<z.input<Entries["compaction"]>>>()
    expectTypeOf<Named<EntryOfType<"branch_summary">>>().toExtend<Named<z.input<Entries["branch_summary"]>>>()
    expectTypeOf<Named<EntryOfType<"custom">>>().toExtend<Named<z.input<Entries["custom"]>>>()
    expectTypeOf<Named<EntryOfType<"custom_message">>>().toExtend<Named<z.input<Entries["custom_message"]>>>()
    expectTypeOf<Named<EntryOfType<"label">>>().toExtend<Named<z.input<Entries["label"]>>>()
    expectTypeOf<Named<EntryOfType<"session_info">>>().toExtend<Named<z.input<Entries["session_info"]>>>()
    expectTypeOf<Named<EntryOfType<"ttsr_injection">>>().toExtend<Named<z.input<Entries["ttsr_injection"]>>>()
    expectTypeOf<Named<EntryOfType<"session_init">>>().toExtend<Named<z.input<Entries["session_init"]>>>()
    expectTypeOf<Named<EntryOfType<"mode_change">>>().toExtend<Named<z.input<Entries["mode_change"]>>>()
    expectTypeOf<Named<EntryOfType<"context_edit">>>().toExtend<Named<z.input<Entries["context_edit"]>>>()
    expectTypeOf<Named<EntryOfType<"title_change">>>().toExtend<Named<z.input<Entries["title_change"]>>>()
    expectTypeOf<Named<EntryOfType<"leaf">>>().toExtend<Named<z.input<Entries["leaf"]>>>()
  })

  it("of the messages, the blocks and the header", () => {
    expectTypeOf<Named<Message>>().toExtend<Named<z.input<typeof messageSchema>>>()
    expectTypeOf<Named<AssistantMessage>>().toExtend<Named<z.input<Messages["assistant"]>>>()
    expectTypeOf<Named<Extract<Message, { role: "bashExecution" }>>>().toExtend<
      Named<z.input<Messages["bashExecution"]>>
    >()
    expectTypeOf<Named<Extract<Message, { role: "compactionSummary" }>>>().toExtend<
      Named<z.input<Messages["compactionSummary"]>>
    >()
    expectTypeOf<Named<ContentBlock>>().toExtend<Named<z.input<typeof contentSchema>>>()
    expectTypeOf<Named<SessionHeader>>().toExtend<Named<z.input<typeof headerSchema>>>()
  })
})
