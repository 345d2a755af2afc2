import { linesOf, readLog } from "@treelog/session-core/adapter"
import { everyKindSession } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"

interface Block {
  readonly type: string
  readonly id?: string
  readonly name?: string
  readonly thinkingSignature?: string
}
interface Entry {
  readonly id: string
  readonly parentId: string | null
  readonly type: string
  readonly customType?: string
  readonly data?: { readonly name: string; readonly call: string }
  readonly message?: {
    readonly role: string
    readonly content: readonly Block[]
    readonly isError?: boolean
    readonly toolCallId?: string
  }
}

describe.each([1, 2, 3])("everyKindSession(%i)", (seed) => {
  const { lines, parts, leaves, counts } = everyKindSession(seed)
  const entries = lines.slice(1).map((line) => JSON.parse(line) as Entry)
  const messages = entries.flatMap(({ message }) => (message ? [message] : []))
  const blocks = (role: string, type: string): Block[] =>
    messages
      .filter((message) => message.role === role)
      .flatMap(({ content }) => content.filter((one) => one.type === type))
  const results = messages.filter(({ role }) => role === "toolResult")
  const calls = blocks("assistant", "toolCall")

  test("counts what its lines have", () => {
    const answered = new Set(results.map(({ toolCallId }) => toolCallId))
    const thinking = blocks("assistant", "thinking")
    const signed = thinking.filter(({ thinkingSignature }) => thinkingSignature !== undefined).length
    expect(counts).toEqual({
      prompts: messages.filter(({ role }) => role === "user").length,
      replies: messages.filter(({ role }) => role === "assistant").length,
      calls: calls.length,
      failedCalls: results.filter(({ isError }) => isError === true).length,
      callsWithoutResult: calls.filter(({ id }) => !answered.has(id)).length,
      imagesInPrompts: blocks("user", "image").length,
      imagesInResults: blocks("toolResult", "image").length,
      signedThinking: signed,
      unsignedThinking: thinking.length - signed,
      compactions: entries.filter(({ type }) => type === "compaction").length,
    })
    for (const [kind, count] of Object.entries(counts)) expect(count, kind).toBeGreaterThan(0)
  })

  test("has 5,000 entries in two branches, ids that are not ASCII, and each id once", () => {
    expect(entries.length).toBeGreaterThanOrEqual(5_000)
    const ids = entries.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => /^ид-/.test(id))).toBe(true)
    const parents = new Set(entries.map(({ parentId }) => parentId))
    expect(ids.filter((id) => !parents.has(id)).sort()).toEqual([...leaves].sort())
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
    expect(calls.some(({ id = "" }) => /[^\x20-\x7e]/.test(id))).toBe(true)
  })

  test("has calls at once, a tool that no program has, and sub-agents at their calls", async () => {
    expect(messages.some(({ content }) => content.filter(({ type }) => type === "toolCall").length === 4)).toBe(true)
    expect(calls.some(({ name }) => name === "кадило/調べる")).toBe(true)
    const named = entries.flatMap(({ customType, data }) => (customType === "treelog.part" && data ? [data] : []))
    expect(named.map(({ name }) => name)).toEqual([...parts.keys()])
    for (const { call } of named) expect(calls.find(({ id }) => id === call)?.name).toBe("task")
    for (const [name, part] of [["session", lines] as const, ...parts]) {
      const log = await readLog(linesOf(Buffer.from(part.join(""))), name)
      expect(log?.diagnostics).toEqual([])
      expect(log?.records.length).toBe(part.length - 1)
    }
  })
})

test("the same seed gives the same session", () => {
  expect(everyKindSession(4, 300)).toEqual(everyKindSession(4, 300))
  expect(everyKindSession(4, 300).lines).not.toEqual(everyKindSession(5, 300).lines)
})
