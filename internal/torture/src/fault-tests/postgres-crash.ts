import type { Session } from "@treelog/session-core"
import { acknowledged } from "../acknowledged.js"
import { sleep } from "../children.js"
import type { FaultTest } from "../fault-test.js"
import { say, soundness } from "../store.js"
import { newSession } from "./postgres-kill.js"

const WRITERS = 8

/** Crashes the server under its writers. */
export const postgresCrash: FaultTest = {
  name: "postgres-crash",
  promise: "A PostgreSQL server that crashes under eight writers loses no acknowledged entry, and stores none twice.",
  counts: { short: 1, long: 50 },
  async run({ count, startServer, progress, findings }) {
    const server = await startServer()
    // If the answer to a request for a lease is lost, no process has it until it lapses.
    const manager = server.manager({ leaseMs: 1_000 })
    let isDone = false
    const write = async (session: Session): Promise<string[]> => {
      const ids: string[] = []
      while (!isDone) {
        ids.push(say(session, `${ids.length}`))
        await acknowledged(session, () => findings.count("appends that failed, and were tried again"))
      }
      await session.close()
      return ids
    }
    const keys = await Promise.all(
      Array.from({ length: WRITERS }, (_, number) => newSession(manager, `crash-${number}`)),
    )
    const sessions = await Promise.all(
      keys.map((key, number) =>
        manager.open(key, number % 2 === 0 ? { access: "exclusive" } : { access: "shared", busyTimeoutMs: 300_000 }),
      ),
    )
    const writing = sessions.map(write)
    try {
      for (let crash = 0; crash < count; crash++) {
        await sleep(300)
        await server.crash()
        progress(crash + 1)
      }
    } finally {
      isDone = true
    }
    for (const [number, written] of (await Promise.all(writing)).entries()) {
      const what = `writer ${number}`
      const [, ...ids] = findings.expectStored(what, await soundness(manager, keys[number] ?? ""), written)
      findings.expect(ids.join() === written.join(), () => `${what}: ${ids.length} entries, not ${written.length}`)
    }
  },
}
