import type { MemorySessionStorage, Session, SessionStorage } from "@treelog/session-core"
import { TreelogError } from "@treelog/session-core"
import type { Lease, LeaseOptions } from "@treelog/session-core/adapter"
import { verifySession } from "@treelog/session-core/maintenance"
import {
  losingAnswers,
  type StoringCall,
  sessionText,
  testHeader,
  userEntry,
  userMessage,
} from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, it } from "vitest"
import { AsyncMemoryStorage } from "../async-memory-storage.js"
import { OpenMemoryStorage } from "./foreign-writer.js"
import { CWD, givenManager, keyOf } from "./given-manager.js"
import { storedRecords } from "./stored-bytes.js"

/** Flushes until the answers come through. */
async function flushed(session: Session): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await (attempt === 0 ? session.flush() : session.retry())
    } catch (error) {
      expect(error).toMatchObject({ code: "PersistError", cause: { code: "StorageError" } })
    }
  }
}

/** The storage, which loses the answers that the list names, one item for each call; and every answer after that arrives. */
function losing(storage: MemorySessionStorage, lost: readonly boolean[], calls: StoringCall[] = []): SessionStorage {
  const left = [...lost]
  return losingAnswers<SessionStorage>(storage, (call) => {
    calls.push(call)
    return left.shift() ?? false
  })
}

const answers = fc.array(fc.boolean(), { maxLength: 20 })
const batches = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 6 })

it.each(["exclusive", "shared"] as const)(
  "a %s session that is created stores each entry once, whichever answers are lost",
  async (access) => {
    await fc.assert(
      fc.asyncProperty(answers, batches, async (lost, sizes) => {
        const memory = new AsyncMemoryStorage()
        const { sessions } = givenManager(losing(memory, lost))
        const session = await sessions.create(CWD, { access })
        const acknowledged: string[] = []
        for (const size of sizes) {
          const ids = Array.from({ length: size }, (_, at) => session.appendMessage(userMessage(`${at}`)))
          await flushed(session)
          acknowledged.push(...ids)
        }
        await session.close()
        if (acknowledged.length === 0) return
        const stored = (await storedRecords(memory, keyOf(session))).slice(1).map(({ id }) => id)
        expect(stored).toEqual(acknowledged)
        expect((await verifySession(givenManager(memory).sessions, keyOf(session))).diagnostics).toEqual([])
      }),
    )
  },
)

it("two writers of a shared session store each entry once, whichever answers are lost", async () => {
  const calls: StoringCall[] = []
  await fc.assert(
    fc.asyncProperty(answers, answers, batches, batches, async (lostOfOne, lostOfTwo, one, two) => {
      const memory = new AsyncMemoryStorage()
      const first = await givenManager(memory).sessions.create(CWD, { access: "shared", persist: "create" })
      await first.close()
      const key = keyOf(first)
      const write = async (lost: readonly boolean[], sizes: readonly number[], start: number) => {
        const { sessions } = givenManager(losing(memory, lost, calls), start)
        const session = await sessions.open(key, { access: "shared" })
        const ids: string[] = []
        for (const size of sizes) {
          for (let at = 0; at < size; at++) ids.push(session.appendMessage(userMessage(`${start + at}`)))
          await flushed(session)
        }
        await session.close()
        return ids
      }
      const [ofOne, ofTwo] = await Promise.all([write(lostOfOne, one, 10_000), write(lostOfTwo, two, 20_000)])
      const stored = (await storedRecords(memory, key)).slice(1).map(({ id }) => id)
      expect(stored.filter((id) => ofOne.includes(id as string))).toEqual(ofOne)
      expect(stored.filter((id) => ofTwo.includes(id as string))).toEqual(ofTwo)
      expect(stored).toHaveLength(ofOne.length + ofTwo.length)
      expect((await verifySession(givenManager(memory).sessions, key)).diagnostics).toEqual([])
    }),
  )
  expect(new Set(calls)).toEqual(new Set(["leaseAndAppend", "append"]))
})

it("a session whose create was stored although it failed continues there", async () => {
  const calls: StoringCall[] = []
  const memory = new AsyncMemoryStorage()
  const { sessions } = givenManager(losing(memory, [true], calls))
  const session = await sessions.create(CWD)
  const id = session.appendMessage(userMessage("first"))
  await expect(session.flush()).rejects.toMatchObject({ code: "PersistError" })
  await session.retry()
  expect(calls).toEqual(["create"])
  expect((await storedRecords(memory, keyOf(session))).slice(1).map((entry) => entry.id)).toEqual([id])
  await session.close()
})

it("a session whose create failed does not take another one at its key for its own", async () => {
  const storage = new FailingOnce()
  const session = await givenManager(storage).sessions.create(CWD, { id: "mine" })
  session.appendMessage(userMessage("mine"))
  const key = keyOf(session)
  await expect(session.flush()).rejects.toMatchObject({ code: "PersistError", cause: { code: "StorageError" } })
  await storage.foreignCreate(
    key,
    sessionText({ ...testHeader(), id: "mine", timestamp: "2020-01-01T00:00:00.000Z" }, userEntry("theirs", null)),
  )
  await expect(session.retry()).rejects.toMatchObject({ code: "PersistError", cause: { code: "SessionExistsError" } })
  expect((await storedRecords(storage, key)).slice(1).map(({ id }) => id)).toEqual(["theirs"])
})

/** Fails the first create, and stores nothing. */
class FailingOnce extends OpenMemoryStorage {
  #fails = true

  override async lease(key: string, options: LeaseOptions): Promise<Lease> {
    const lease = await super.lease(key, options)
    return new Proxy(lease, {
      get: (target, name) => {
        if (name !== "create" || !this.#fails) return Reflect.get(target, name, target)
        this.#fails = false
        return async () => {
          throw new TreelogError("StorageError", "cut off", { key, operation: "create", errno: "ECONNRESET" })
        }
      },
    })
  }
}
