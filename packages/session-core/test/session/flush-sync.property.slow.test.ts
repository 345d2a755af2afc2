import { isTreelogError, MemorySessionStorage } from "@treelog/session-core"
import { createSync } from "@treelog/session-core/sync"
import { userMessage } from "@treelog-internal/test-kit"
import { SESSION_STORAGE, scheduledPort } from "@treelog-internal/test-kit/orders"
import fc from "fast-check"
import { expect, it } from "vitest"
import { CWD, givenManager, keyOf } from "./given-manager.js"
import { storedRecords } from "./stored-bytes.js"

const STEPS = ["append", "append", "flush", "flushSync", "answer", "answer", "turn", "turns"] as const

it("synchronous and asynchronous writes of one session, in any order, store each entry once and in order", async () => {
  let done = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...STEPS), { maxLength: 40, size: "max" }),
      fc.constantFrom("exclusive" as const, "shared" as const),
      fc.constantFrom("message" as const, "append" as const),
      fc.scheduler(),
      async (steps, access, persist, scheduler) => {
        const memory = new MemorySessionStorage()
        const storage = scheduledPort(memory, SESSION_STORAGE, { scheduler, owner: "the session" })
        const session = createSync(givenManager(storage).sessions, CWD, { access, persist })
        const appended: string[] = []
        const flushes: Promise<void>[] = []
        for (const step of steps) {
          if (step === "append") appended.push(session.appendMessage(userMessage(`number ${appended.length}`)))
          else if (step === "flush") flushes.push(session.flush())
          else if (step === "turn") await turns(1)
          else if (step === "turns") await turns(ENOUGH)
          else if (step === "answer") {
            await turns(ENOUGH)
            if (scheduler.count() > 0) await scheduler.waitOne()
          } else if (wasFlushed(() => session.flushSync())) {
            done += 1
            expect(session.pending).toBe(0)
            expect(await storedIds(memory, keyOf(session))).toEqual(appended)
          }
        }
        const closed = session.close()
        await scheduler.waitFor(Promise.all([...flushes, closed]))
        expect(await storedIds(memory, keyOf(session))).toEqual(appended)
        expect(session.getEntries().map(({ id }) => id)).toEqual(appended)
        expect(session.getDiagnostics()).toEqual([])
      },
    ),
    { numRuns: 3000 },
  )
  expect(done).toBeGreaterThan(1000)
})

/** So many turns bring every promise to the next call of the storage. */
const ENOUGH = 30

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve()
}

/** False where the session is just being taken asynchronously. */
function wasFlushed(flush: () => void): boolean {
  try {
    flush()
    return true
  } catch (error) {
    const isBusy = isTreelogError(error, "PersistError") && isTreelogError(error.cause, "SessionBusyError")
    if (!isBusy) throw error
    return false
  }
}

/** Without the header. */
async function storedIds(storage: MemorySessionStorage, key: string): Promise<unknown[]> {
  return (await storedRecords(storage, key)).slice(1).map(({ id }) => id)
}
