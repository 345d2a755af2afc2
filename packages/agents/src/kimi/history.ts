import type { AssistantMessage, ContentBlock, ToolResultMessage, UserMessage } from "@treelog/session-core"
import { type Json, textIn } from "../kit.js"
import { textOf } from "./blocks.js"

/** A message that the model gets. */
export interface Held {
  /** The entry that has it. */
  readonly entry: string
  readonly message: (UserMessage | AssistantMessage | ToolResultMessage) & { readonly content: readonly ContentBlock[] }
  /** Why there is such a message: `{ kind: "user" }`. */
  readonly origin?: Json | undefined
  /** The id of the prompt. */
  readonly prompt?: string | undefined
}

/** Whether the user said it: what a compaction keeps, and what `undo` counts. */
export function isPrompt({ message, origin }: Pick<Held, "message" | "origin">): boolean {
  if (message.role !== "user") return false
  if (origin === undefined || origin.kind === "user") return true
  return (origin.kind === "skill_activation" || origin.kind === "plugin_command") && origin.trigger === "user-slash"
}

/** Where so many prompts from the end begin, with what belongs to the first of them; undefined where there are fewer since a compaction. */
export function startOfLast(history: readonly Held[], count: number): number | undefined {
  let left = count
  for (let at = history.length - 1; at >= 0 && left > 0; at--) {
    const held = history[at] as Held
    if (held.origin?.kind === "compaction_summary") return undefined
    if (!isPrompt(held) || --left > 0) continue
    while (at > 0 && held.prompt !== undefined && ownerOf(history[at - 1]) === held.prompt) at--
    return at
  }
  return undefined
}

/** The prompt that an injection belongs to. */
export function ownerOf(held: Held | undefined): string | undefined {
  return held?.origin?.kind === "injection" ? textIn(held.origin, "ownerPromptId") : undefined
}

/** What prompts may have behind a compaction, and the oldest of them. Tokens. */
const [MOST, OLDEST] = [20_000, 2_000]

/** What a compaction keeps: all prompts, or the oldest and the newest with a note between them. */
export function keptPrompts(history: readonly Held[]): Held[] {
  const prompts = history.filter(isPrompt)
  if (sumOf(prompts) <= MOST) return prompts
  const newest = taken(prompts, MOST - OLDEST, true)
  const older = prompts.slice(0, prompts.length - newest.length)
  const [whole, partly] = [prompts[older.length], newest[0]]
  if (whole && partly && whole !== partly)
    older.push(withText(whole, textOf(whole.message).slice(0, -textOf(partly.message).length || undefined)))
  const oldest = taken(older, OLDEST, false)
  const omitted = Math.max(0, sumOf(prompts) - sumOf(oldest) - sumOf(newest))
  const note = `Some of this conversation's user messages were omitted here during compaction: the messages above this note are the oldest user input, the messages below are the most recent, and roughly ${omitted} tokens in between were dropped. The omitted content is covered by the compaction summary at the end of the conversation.`
  return [...oldest, injected(note), ...newest]
}

/** What Kimi Code says behind a summary. */
export const CONTINUE = "Context compaction is complete — continue the work that was in progress when it began."

/** A note of Kimi Code among the messages. */
export function injected(note: string): Held {
  const content = [{ type: "text" as const, text: `<system-reminder>\n${note}\n</system-reminder>` }]
  return { entry: "", message: { role: "user", content, timestamp: 0 }, origin: { kind: "injection" } }
}

/** The first prompts for which there is room, or the last, of one of them a part. @param room tokens */
function taken(prompts: readonly Held[], room: number, fromEnd: boolean): Held[] {
  const inOrder = <Item>(items: readonly Item[]): Item[] => (fromEnd ? [...items].reverse() : [...items])
  const kept: Held[] = []
  let left = room
  for (const held of inOrder(prompts)) {
    if (left <= 0) break
    const tokens = tokensOf(held)
    const part = () => inOrder(firstOf(inOrder([...textOf(held.message)]), left)).join("")
    kept.push(tokens <= left ? held : withText(held, part()))
    left -= tokens
  }
  return inOrder(kept)
}

function sumOf(prompts: readonly Held[]): number {
  return prompts.reduce((sum, held) => sum + tokensOf(held), 0)
}

/** As Kimi Code estimates it: one for the role, 2,000 for each medium. */
function tokensOf({ message }: Held): number {
  return message.content.reduce(
    (sum, block) => sum + (block.type === "text" ? tokensIn([...String((block as unknown as Json).text)]) : 2_000),
    1,
  )
}

/** Four characters of ASCII are a token, and each other one. */
function tokensIn(characters: readonly string[]): number {
  return Math.ceil(characters.reduce((quarters, one) => quarters + (one <= "\x7f" ? 1 : 4), 0) / 4)
}

function firstOf(characters: readonly string[], room: number): string[] {
  let left = room * 4
  const end = characters.findIndex((one) => {
    left -= one <= "\x7f" ? 1 : 4
    return left < 0
  })
  return characters.slice(0, end < 0 ? undefined : end)
}

function withText(held: Held, text: string): Held {
  return { ...held, message: { ...held.message, content: [{ type: "text", text }] } as Held["message"] }
}
