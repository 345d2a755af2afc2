import { sleep, startChild } from "../children.js"
import { type FaultTest, Findings } from "../fault-test.js"
import { inTurns } from "../in-turns.js"
import { startServer } from "../postgres.js"
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
  async run({ count, programs, progress }) {
    const findings = new Findings()
    const server = await startServer()
    const manager = server.manager({ leaseMs: LEASE_MS })
    try {
      await inTurns(count, AT_ONCE, async (tried) => {
        const [access, what] = [tried % 2 === 0 ? "exclusive" : "shared", `run ${tried}`]
        const key = await newSession(manager, `stop-${tried}`)
        const args = [JSON.stringify(server.server), key, access, String(LEASE_MS)]
        const child = startChild(programs.path("append-to-postgres"), args)
        await child.nextLine()
        child.process.kill("SIGSTOP")
        const other = await manager.open(key, { access: "shared", busyTimeoutMs: 300_000 })
        // A shared writer may be stopped while it holds no lease: it is stopped for longer than one lasts in any case.
        await sleep(LEASE_MS)
        const between = [say(other, "between 1"), say(other, "between 2")]
        await other.close()
        child.process.kill("SIGCONT")
        const before = child.lines.length
        while (child.lines.length < before + 12 && child.process.exitCode === null) await child.nextLine()
        findings.expect(child.process.exitCode === null, () => `${what}: the writer ended by itself`)
        await child.kill()
        const { faults, entries } = await soundness(manager, key)
        for (const fault of faults) findings.broken.push(`${what}: ${fault}`)
        const ids = entries.map(({ id }) => id)
        const lost = [...child.lines, ...between].filter((id) => !ids.includes(id))
        findings.expect(lost.length === 0, () => `${what}: ${lost.length} acknowledged entries are lost`)
        findings.expect(new Set(ids).size === ids.length, () => `${what}: an entry is there twice`)
        const [first = "", second = ""] = between
        findings.expect(ids.indexOf(second) === ids.indexOf(first) + 1, () => `${what}: an entry is in between`)
        findings.count("entries acknowledged", child.lines.length)
        progress(tried + 1)
      })
    } finally {
      await server.stop()
    }
    return { tried: count, ...findings }
  },
}
