import { MemorySessionStorage } from "@treelog/session-core"
import { MemorySessionIndex, parseQuery, type SearchQuery } from "@treelog/session-core/search"
import {
  assistantEntry,
  bytesOf,
  entry,
  messageEntry,
  sessionText,
  testHeader,
  tries,
  userEntry,
} from "@treelog-internal/test-kit"
import { generateSession } from "@treelog-internal/test-kit/generator"
import fc from "fast-check"
import { describe, expect, test, vi } from "vitest"
import { PageSession, Searching, searchEntries, snippetAt } from "./door.js"

function sessionOfBytes(bytes: Uint8Array): PageSession {
  const session = new PageSession("one")
  session.push(bytes.slice())
  session.settle(true)
  return session
}

const call = (id: string, parentId: string, name: string, args: object, thinking: string): object => {
  const { message, ...rest } = assistantEntry(id, parentId, "I change it.") as { message: { content: object[] } }
  const content = [
    { type: "thinking", thinking },
    ...message.content,
    { type: "toolCall", id: "1", name, arguments: args },
  ]
  return { ...rest, message: { ...message, content } }
}

const bytes = bytesOf(
  sessionText(
    testHeader({ id: "session-one" }),
    userEntry("u", null, 'say "hello\\world" und Äpfel'),
    call("a", "u", "edit", { path: "src/retry.ts", oldText: "x", newText: "y" }, "retries must be counted"),
    messageEntry("r", "a", {
      role: "toolResult",
      toolCallId: "1",
      toolName: "edit",
      content: [{ type: "text", text: "Replaced in retry.ts; 検索も動く" }],
      isError: false,
      timestamp: 1,
    } as never),
    messageEntry("p", "r", {
      role: "user",
      content: [{ type: "image", data: "aGVsbG8=", mimeType: "image/png" }],
      timestamp: 1,
    }),
    entry("label", "l", "p", { targetId: "u", label: "the start" }),
  ),
)
const session = sessionOfBytes(bytes)
const idsOf = (one: PageSession, query: SearchQuery): string[] =>
  [...searchEntries(one, query)].flatMap((found) => (found === undefined ? [] : one.summary(found).id))
const found = (text: string): string[] => idsOf(session, parseQuery(text, 0))

describe("A search of the page", () => {
  test.each([
    ["HELLO", ["u"]],
    ['"hello world"', ["u"]],
    ["apfel", ["u"]],
    ["hello retry", []],
    ["und -hello", []],
    ["retry.ts", ["a", "r"]],
    ["role:call retry", ["a"]],
    ["tool:edit", ["a", "r"]],
    ["etry", ["a"]],
    ["role:thinking retri", []],
    ["role:thinking retri*", ["a"]],
    ["検索", ["r"]],
    ["label:start", ["u"]],
    ["role:label", ["u"]],
    ["file:retry.ts role:user", ["u"]],
    ["file:other.ts role:user", []],
    ["session:session-one hello", ["u"]],
    ["session:another hello", []],
    ["aGVsbG8", []],
    ["parentId", []],
  ])("for %s finds %j.", (text, ids) => {
    expect(found(text)).toEqual(ids)
  })

  test.each([
    [false, ["u"]],
    [true, []],
  ])("for the file of a call whose result is an error (%s) finds %j, as an index does.", async (isError, ids) => {
    const result = { role: "toolResult", toolCallId: "1", toolName: "edit", content: [], isError, timestamp: 1 }
    const text = sessionText(
      testHeader({ id: "failed" }),
      userEntry("u", null, "Change it"),
      call("a", "u", "edit", { path: "src/other.ts", oldText: "x", newText: "y" }, "I do"),
      messageEntry("r", "a", result as never),
    )
    const query = parseQuery("file:other.ts role:user", 0)
    expect(idsOf(sessionOfBytes(bytesOf(text)), query)).toEqual(ids)
  })

  test("finds what an index of the same session finds, for any words and filters.", async () => {
    const words = fc.constantFrom(
      "the",
      "tests",
      "and",
      "re",
      "file",
      "src",
      "error",
      "add",
      '"the tests"',
      "-the",
      "t*",
      "role:tool",
      "role:user",
      "tool:bash",
      "file:index.ts",
      "role:summary",
    )
    const asked = fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" "))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), asked, async (seed, text) => {
        const stored = generated(seed)
        const query = parseQuery(text, 0)
        const { sessions } = await (await indexOf(stored)).search({ ...query, limit: 10_000 })
        const expected = new Set(sessions.flatMap(({ hits }) => hits.map(({ entryId }) => entryId)))
        const one = sessionOfBytes(stored)
        const shown = new Set([...expected].filter((id) => one.tree.ordinalOf(id) !== undefined))
        expect(new Set(idsOf(one, query))).toEqual(shown)
      }),
      { numRuns: tries(15) },
    )
  })

  test("shows what stands around the match, with the match marked.", () => {
    const { text, matches } = snippetAt(session, 0, parseQuery("world und", 0))
    expect(text).toBe('say "hello\\world" und Äpfel')
    expect(matches.map(([from, to]) => text.slice(from, to))).toEqual(["world", "und"])
    expect(snippetAt(session, 0, parseQuery("role:label", 0)).text).toBe("the start")
    expect(snippetAt(session, 3, parseQuery("nothing", 0)).text).toBe("[image image/png 6 B]")
  })
})

const generated = (seed: number): Uint8Array =>
  bytesOf(...generateSession({ seed, style: "pi", entries: 60, branching: 0.2, compactions: 1 }))

async function indexOf(stored: Uint8Array): Promise<MemorySessionIndex> {
  const storage = new MemorySessionStorage()
  const lease = await storage.lease("memory:/home/ada/shop/one", { access: "exclusive", waitMs: 0 })
  await lease.create([stored])
  await lease.release()
  const index = new MemorySessionIndex(storage)
  await index.update()
  return index
}

describe("A search that runs", () => {
  test("has the hits in the order of the file.", async () => {
    const searching = new Searching("retry.ts")
    await searching.run(session, () => {})
    expect(searching).toMatchObject({ hits: [1, 2], count: 2, at: -1, isDone: true, fault: undefined })
  })

  test("reports a filter that is none.", async () => {
    const searching = new Searching("role:nobody")
    await searching.run(session, () => {})
    const fault = expect.stringContaining('"nobody" is not a role')
    expect(searching).toMatchObject({ hits: [], isDone: true, fault })
  })

  test("ends at its next pause when it is stopped.", async () => {
    let now = 0
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1_000))
    const searching = new Searching("retry.ts")
    await searching.run(session, () => searching.stop())
    clock.mockRestore()
    expect(searching).toMatchObject({ count: 0, isDone: false })
  })
})
