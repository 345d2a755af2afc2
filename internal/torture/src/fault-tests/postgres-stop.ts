import { sleep, startChild } from "../children.js"
import type { FaultTest } from "../fault-test.js"
import { inTurns } from "../in-turns.js"
import { say, soundness } from "../store.js"
import { newSession } from "./postgres-kill.js"

const LEASE_MS = 800
const AT_ONCE = 4

/** Stops a writer of a session in PostgreSQL until others have written, and continues it. */
export const postgresStop: FaultTest = {
  name: "postgres-stop",
  promise:
    "A writer to PostgreSQL that is stopped past its lease and wakes up writes nothing between the entries of others, and loses none.",
  counts: { short: 2, long: 100 },
  async run({ count, program, startServer, progress, findings }) {
    const server = await startServer()
    const manager = server.manager({ leaseMs: LEASE_MS })
    await inTurns(count, AT_ONCE, async (tried) => {
      const [access, what] = [tried % 2 === 0 ? "exclusive" : "shared", `run ${tried}`]
      const key = await newSession(manager, `stop-${tried}`)
      const args = [JSON.stringify(server.server), key, access, String(LEASE_MS)]
      const child = startChild(program("append-to-postgres"), args)
      await child.nextLine()
      child.process.kill("SIGSTOP")
      const other = await manager.open(key, { access: "shared", busyTimeoutMs: 300_000 })
      // A shared writer may be stopped while it holds no lease: it is stopped for longer than one lasts in any case.
      await sleep(LEASE_MS)
      const [first, second] = [say(other, "between 1"), say(other, "between 2")]
      await other.close()
      child.process.kill("SIGCONT")
      const before = child.lines.length
      while (child.lines.length < before + 12 && child.process.exitCode === null) await child.nextLine()
      findings.expect(child.process.exitCode === null, () => `${what}: the writer ended by itself`)
      await child.kill()
      const ids = findings.expectStored(what, await soundness(manager, key), [...child.lines, first, second])
      findings.expect(ids.indexOf(second) === ids.indexOf(first) + 1, () => `${what}: an entry is in between`)
      progress(tried + 1)
    })
  },
}
