import type { SessionManager } from "@treelog/session-core"
import { acknowledged } from "../acknowledged.js"
import { sleep } from "../children.js"
import { type FaultTest, Findings } from "../fault-test.js"
import { startServer } from "../postgres.js"
import { say, soundness } from "../store.js"
import { newSession } from "./postgres-kill.js"

const WRITERS = 8

/** Crashes the server under its writers. */
export const postgresCrash: FaultTest = {
  name: "postgres-crash",
  promise: "A PostgreSQL server that crashes under eight writers loses no acknowledged entry, and stores none twice.",
  counts: { short: 1, long: 50 },
  async run({ count, progress }) {
    const findings = new Findings()
    const server = await startServer()
    let isDone = false
    try {
      // If the answer to a request for a lease is lost, nobody has it until it lapses.
      const manager = server.manager({ leaseMs: 1_000 })
      const keys = await Promise.all(
        Array.from({ length: WRITERS }, (_, number) => newSession(manager, `crash-${number}`)),
      )
      const writing = keys.map((key, number) => write(manager, key, number % 2 === 0 ? "exclusive" : "shared"))
      for (let crash = 0; crash < count; crash++) {
        await sleep(300)
        await server.crash()
        progress(crash + 1)
      }
      isDone = true
      const written = await Promise.all(writing)
      for (const [number, ids] of written.entries()) await check(manager, keys[number] ?? "", ids, `writer ${number}`)
    } finally {
      isDone = true
      await server.stop()
    }
    return { tried: count, ...findings }

    async function write(manager: SessionManager, key: string, access: "exclusive" | "shared"): Promise<string[]> {
      const session = await manager.open(key, access === "shared" ? { access, busyTimeoutMs: 300_000 } : { access })
      const ids: string[] = []
      while (!isDone) {
        ids.push(say(session, `${ids.length}`))
        await acknowledged(session, () => findings.count("appends that failed, and were tried again"))
      }
      await session.close()
      return ids
    }

    async function check(manager: SessionManager, key: string, written: readonly string[], what: string) {
      const { faults, entries } = await soundness(manager, key)
      for (const fault of faults) findings.broken.push(`${what}: ${fault}`)
      const ids = entries.slice(1).map(({ id }) => id)
      findings.expect(
        ids.join() === written.join(),
        () => `${what}: ${ids.length} entries instead of ${written.length}`,
      )
      findings.count("entries acknowledged", written.length)
    }
  },
}
