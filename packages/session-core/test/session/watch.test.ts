import type { SessionEntry } from "@treelog/session-core"
import { sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { OpenMemoryStorage } from "./foreign-writer.js"
import { givenManager, idsOf } from "./given-manager.js"
import { putStored } from "./stored-bytes.js"

const KEY = "memory:/project/test-session"
const line = (id: string, parentId: string | null) => `${JSON.stringify(userEntry(id, parentId))}\n`
const never = new AbortController().signal

const unhandled: unknown[] = []
const note = (error: unknown) => void unhandled.push(error)
beforeEach(() => {
  unhandled.length = 0
  process.on("unhandledRejection", note)
})
afterEach(async () => {
  // Node reports them once the queue of microtasks is empty.
  await new Promise((resolve) => setImmediate(resolve))
  process.off("unhandledRejection", note)
  expect(unhandled).toEqual([])
})

async function given(access: "exclusive" | "shared" | "read", storage = new OpenMemoryStorage()) {
  const made = givenManager(storage)
  await putStored(storage, KEY, sessionText(testHeader(), userEntry("a", null)))
  return { ...made, session: await made.sessions.open(KEY, { access }) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe.each(["exclusive", "shared", "read"] as const)("watching a session (%s)", (access) => {
  it("ends when the loop is left, and when it is left while it waits", async () => {
    const { session, storage } = await given(access)
    const seen: SessionEntry[] = []
    const loop = (async () => {
      for await (const entry of session.watch(never)) {
        seen.push(entry)
        break
      }
    })()
    await settled()
    await storage.foreignAppend(KEY, line("b", "a"))
    await loop
    expect(idsOf(seen)).toEqual(["b"])

    const watch = session.watch(never)
    const waiting = watch.next()
    await settled()
    expect(await watch.return(undefined)).toEqual({ done: true, value: undefined })
    expect(await waiting).toEqual({ done: true, value: undefined })
  })

  it("ends when its signal is aborted, before or while it runs, and when the session is closed", async () => {
    const { session } = await given(access)
    expect(await session.watch(AbortSignal.abort()).next()).toMatchObject({ done: true })
    const aborted = new AbortController()
    const one = session.watch(aborted.signal).next()
    const two = session.watch(never).next()
    await settled()
    aborted.abort()
    expect(await one).toMatchObject({ done: true })
    await session.close()
    expect(await two).toMatchObject({ done: true })
    expect(await session.watch(never).next()).toMatchObject({ done: true })
  })

  it.each(["removed", "replaced by another one"] as const)("reports that the stored session was %s", async (what) => {
    for (const before of [true, false]) {
      const { session, storage } = await given(access)
      const change = () =>
        what === "removed"
          ? storage.foreignRemove(KEY)
          : storage.foreignReplace(KEY, sessionText(testHeader({ id: "other" }), userEntry("other", null)))
      if (before) await change()
      const next = session.watch(never).next()
      const failed = expect(next).rejects.toMatchObject({ code: "SessionChangedError", data: { key: KEY } })
      await settled()
      if (!before) await change()
      await failed
      await session.discard()
    }
  })

  it("beside refresh gives each entry once to either, and adds it once", async () => {
    const { session, storage } = await given(access)
    const watch = session.watch(never)
    const first = watch.next()
    await settled()
    await storage.foreignAppend(KEY, line("b", "a"), line("c", "b"))
    const refreshed = await Promise.all([session.refresh(), session.refresh()])
    expect(idsOf(refreshed.flat())).toEqual(["b", "c"])
    expect((await first).value?.id).toBe("b")
    expect((await watch.next()).value?.id).toBe("c")
    await watch.return(undefined)
    expect(idsOf(session.getEntries())).toEqual(["a", "b", "c"])
  })

  it.each([
    ["at once", () => Promise.reject(new Error("no watch"))],
    ["while the session is read", () => settled().then(() => Promise.reject(new Error("no watch")))],
  ])("reports that the storage's watch fails %s", async (_, fail) => {
    class Failing extends OpenMemoryStorage {
      override watch(): AsyncIterable<void> {
        return { [Symbol.asyncIterator]: () => ({ next: fail }) }
      }
      override async stat(key: string) {
        for (let round = 0; round < 3; round++) await settled()
        return super.stat(key)
      }
    }
    const { session } = await given(access, new Failing())
    await expect(session.watch(never).next()).rejects.toThrow("no watch")
    await session.close()
  })

  it("reports that the storage's watch cannot begin", async () => {
    class Throwing extends OpenMemoryStorage {
      override watch(): never {
        throw new Error("no watch")
      }
    }
    const { session } = await given(access, new Throwing())
    await expect(session.watch(never).next()).rejects.toThrow("no watch")
    await session.close()
  })
})

it("a watch that fails after the session was removed is no unhandled rejection", async () => {
  class Failing extends OpenMemoryStorage {
    override watch(): AsyncIterable<void> {
      return { [Symbol.asyncIterator]: () => ({ next: () => settled().then(() => Promise.reject(new Error("late"))) }) }
    }
  }
  const { session, storage } = await given("read", new Failing())
  await storage.foreignRemove(KEY)
  await expect(session.watch(never).next()).rejects.toMatchObject({ code: "SessionChangedError" })
})
