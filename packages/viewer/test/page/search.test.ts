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
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { IndexAnswer } from "./door.js"
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

describe("Searching with an index", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout"] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test("shows what the index finds, in the order of the file, and nothing else.", async () => {
    const searching = new Searching(() => {})
    await searching.start(session, "hello", async () => ({ ids: ["p", "gone", "u"], isMore: true }))
    expect(searching).toMatchObject({ hits: [0, 3], count: 2, isMore: true, isDone: true, indexing: undefined })
  })

  test("asks again while the index is brought up to date, and stays at the hit where it is.", async () => {
    const answers: IndexAnswer[] = [
      { ids: ["r"], isMore: false, indexing: { done: 1, total: 9 } },
      { ids: ["r", "u"], isMore: false },
    ]
    const searching = new Searching(() => {})
    const done = searching.start(session, "hello", async () => answers.shift())
    await expect.poll(() => searching.indexing).toEqual({ done: 1, total: 9 })
    expect(searching).toMatchObject({ hits: [2], isDone: false })
    searching.at = 0
    await vi.advanceTimersByTimeAsync(1_000)
    await done
    expect(searching).toMatchObject({ hits: [0, 2], at: 1, isDone: true, indexing: undefined })
  })

  test("searches by itself where there is no index, and says why where the index fails.", async () => {
    const searching = new Searching(() => {})
    await searching.start(session, "hello", async () => undefined)
    expect(searching).toMatchObject({ hits: [0], indexFault: undefined })
    await searching.start(session, "hello", () => Promise.reject(new Error("The disk is full.")))
    expect(searching).toMatchObject({ hits: [0], indexFault: "The disk is full.", isDone: true })
  })

  test("reports a filter that is none, and asks nobody.", async () => {
    const index = vi.fn()
    const searching = new Searching(() => {})
    await searching.start(session, "role:nobody", index)
    expect(searching).toMatchObject({
      hits: [],
      isDone: true,
      fault: expect.stringContaining('"nobody" is not a role'),
    })
    expect(index).not.toHaveBeenCalled()
  })

  test("forgets an answer that comes after another search began.", async () => {
    const searching = new Searching(() => {})
    let answer = (_: IndexAnswer): void => {}
    const first = searching.start(session, "hello", () => new Promise((resolve) => (answer = resolve)))
    await searching.start(session, "retry.ts", async () => ({ ids: ["r"], isMore: false }))
    answer({ ids: ["u"], isMore: false })
    await first
    expect(searching.hits).toEqual([2])
  })
})
