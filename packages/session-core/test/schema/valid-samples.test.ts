import {
  checkEntry,
  contentSchema,
  entrySchema,
  entrySchemas,
  headerSchema,
  messageSchema,
  messageSchemas,
} from "@treelog/session-core/schema"
import { describe, expect, it } from "vitest"
import { ENTRY_KINDS } from "../door.js"
import { BLOCKS, ENTRIES, HEADERS, MESSAGES } from "./samples.js"

const namesIn = (samples: typeof ENTRIES, field: string) => new Set(samples.map(([, json]) => JSON.parse(json)[field]))

describe.each([
  ["entrySchema", entrySchema, ENTRIES],
  ["messageSchema", messageSchema, MESSAGES],
  ["contentSchema", contentSchema, BLOCKS],
  ["headerSchema", headerSchema, HEADERS],
] as const)("%s", (_, schema, samples) => {
  it.each(samples)("gives %s back as it is, with its keys in order", (_form, json) => {
    const value: unknown = JSON.parse(json)
    const parsed = schema.parse(value)
    expect(parsed).toBe(value)
    expect(JSON.stringify(parsed)).toBe(json)
  })
})

it.each(ENTRIES)("the schema of its own type and checkEntry pass %s", (_form, json) => {
  const value: { type: keyof typeof entrySchemas } = JSON.parse(json)
  if (Object.hasOwn(entrySchemas, value.type)) expect(entrySchemas[value.type].parse(value)).toBe(value)
  expect(checkEntry(value)).toEqual({ ok: true, entry: value })
})

describe("the samples", () => {
  it("show every type, role and block that has a schema", () => {
    expect([...namesIn(ENTRIES, "type")]).toEqual(expect.arrayContaining(Object.keys(entrySchemas)))
    expect([...namesIn(MESSAGES, "role")]).toEqual(expect.arrayContaining(Object.keys(messageSchemas)))
    expect([...namesIn(BLOCKS, "type")]).toEqual(expect.arrayContaining(["text", "image", "thinking", "toolCall"]))
  })

  it("cover the kinds that the library knows, no more and no fewer", () => {
    expect(Object.keys(entrySchemas).sort()).toEqual(Object.keys(ENTRY_KINDS).sort())
  })
})

it("a frozen entry is checked without being touched", () => {
  for (const [, json] of ENTRIES) {
    const value: unknown = JSON.parse(json, (_, part) => (typeof part === "object" ? Object.freeze(part) : part))
    expect(checkEntry(value).ok).toBe(true)
  }
})

it("asynchronous parsing gives the very value back too", async () => {
  const value: unknown = JSON.parse('{"b":1,"type":"text","text":"Hi"}')
  expect(await contentSchema.parseAsync(value)).toBe(value)
})
