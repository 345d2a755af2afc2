import { OpenAISession } from "@treelog/agent-sdks/openai"
import { describe, expect, test } from "vitest"
import { emptyStorage, removeFoldersAfterAll, STORAGES } from "../storages.js"

removeFoldersAfterAll()

interface Item {
  readonly role: string
  readonly content?: unknown
}
const items = (...contents: unknown[]): Item[] => contents.map((content) => ({ role: "user", content }))
const append = (...contents: unknown[]) => ({ type: "append_items" as const, items: items(...contents) })
const replace = (expectedSuffix: Item[], replacement: Item[]) =>
  ({ type: "replace_suffix", expectedSuffix, replacement }) as const

describe.each(STORAGES)("an OpenAI session %s", (kind) => {
  const open = (storage = emptyStorage(kind), sessionId = "s") => new OpenAISession<Item>({ storage, sessionId })

  test("returns its id, and no items before the first is added", async () => {
    expect(await open().getSessionId()).toBe("s")
    expect(await open().getItems()).toEqual([])
  })

  test("keeps the order of calls, also when none waits for the one before", async () => {
    const session = open()
    const numbers = Array.from({ length: 20 }, (_, index) => index)
    await Promise.all(numbers.map((number) => session.addItems(items(number, `${number}+`))))
    expect(await session.getItems()).toEqual(items(...numbers.flatMap((number) => [number, `${number}+`])))
  })

  test("returns the last items, in order, with a limit", async () => {
    const session = open()
    await session.addItems(items(1, 2, 3))
    expect(await session.getItems(2)).toEqual(items(2, 3))
    expect(await session.getItems(9)).toEqual(items(1, 2, 3))
    expect(await session.getItems(0)).toEqual([])
    expect(await session.getItems(-1)).toEqual([])
  })

  test("removes and returns the last item, and undefined when there is none", async () => {
    const session = open()
    await session.addItems(items(1, 2))
    expect([await session.popItem(), await session.popItem(), await session.popItem()]).toEqual([
      ...items(2, 1),
      undefined,
    ])
    await session.addItems(items(3))
    expect(await session.getItems()).toEqual(items(3))
  })

  test("gives each item to one of those who pop at once", async () => {
    const storage = emptyStorage(kind)
    await open(storage).addItems(items(1, 2, 3, 4, 5))
    const popped = await Promise.all([1, 2, 3, 4, 5, 6].map(() => open(storage).popItem()))
    expect(popped.map((item) => item?.content ?? 0).sort()).toEqual([0, 1, 2, 3, 4, 5])
  })

  test("has no items after it was cleared, and leaves nothing stored", async () => {
    const storage = emptyStorage(kind)
    const session = open(storage)
    await session.addItems(items("secret"))
    await session.clearSession()
    expect(await session.getItems()).toEqual([])
    const stored = []
    for await (const name of storage.list()) stored.push(name)
    expect(stored).toEqual([])
  })

  test("keeps sessions with different ids and prefixes apart", async () => {
    const storage = emptyStorage(kind)
    await open(storage, "a").addItems(items(1))
    await open(storage, "A").addItems(items(2))
    await new OpenAISession<Item>({ storage, sessionId: "a", prefix: "other" }).addItems(items(3))
    expect(await open(storage, "a").getItems()).toEqual(items(1))
    expect(await open(storage, "A").getItems()).toEqual(items(2))
  })

  test("applies a transaction once, also when it is repeated by another process", async () => {
    const storage = emptyStorage(kind)
    await open(storage).addItems(items(1, 2))
    const args = { operationId: "op", transaction: replace(items(2), items("two", 3)) }
    for (let times = 0; times < 3; times++) await open(storage).applyHistoryTransaction(args)
    await open(storage).addItems(items(4))
    await open(storage).applyHistoryTransaction(args)
    expect(await open(storage).getItems()).toEqual(items(1, "two", 3, 4))
  })

  test("recognizes the same transaction with its members in another order, or with undefined ones", async () => {
    const session = open()
    await session.applyHistoryTransaction({ operationId: "op", transaction: append({ a: 1, b: 2 }) })
    await session.applyHistoryTransaction({ operationId: "op", transaction: append({ b: 2, a: 1, c: undefined }) })
    const suffix = items({ b: 2, a: 1, c: undefined })
    await session.applyHistoryTransaction({ operationId: "next", transaction: replace(suffix, items(1)) })
    expect(await session.getItems()).toEqual(items(1))
  })

  test.each([
    ["the id of another transaction", "used", append(9), "operationId"],
    ["an empty id", " ", append(9), "operationId"],
    ["a suffix that the history does not end with", "new", replace(items(1), []), "expectedSuffix"],
    ["a suffix that is longer than the history", "new", replace(items(0, 1, 2), []), "expectedSuffix"],
  ])("refuses %s, and changes nothing", async (_, operationId, transaction, argument) => {
    const session = open()
    await session.applyHistoryTransaction({ operationId: "used", transaction: append(1, 2) })
    const error = { code: "InvalidArgumentError", data: { argument } }
    await expect(session.applyHistoryTransaction({ operationId, transaction })).rejects.toMatchObject(error)
    expect(await session.getItems()).toEqual(items(1, 2))
  })

  test("refuses an item that JSON would change, and adds none of its call", async () => {
    const session = open()
    const bytes = items("good", new Uint8Array(2))
    await expect(session.addItems(bytes)).rejects.toMatchObject({
      code: "UnserializableEntryError",
      message: 'Item 1 cannot be stored as JSON: "content" is [object Uint8Array]. Nothing was stored.',
    })
    expect(await session.getItems()).toEqual([])
  })
})

test.each(["", ".", "..", "a/../b", "a\0b", "\udc00"])(
  "an id that could leave its prefix is refused: %j",
  (sessionId) => {
    const make = () => new OpenAISession<Item>({ storage: emptyStorage("in memory"), sessionId })
    expect(make).toThrow(
      expect.objectContaining({ code: "InvalidArgumentError", data: { argument: "sessionId", value: sessionId } }),
    )
  },
)
