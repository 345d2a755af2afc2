import type { SessionManager } from "@treelog/session-core"
import { Random } from "@treelog-internal/test-kit/generator"
import { type Child, sleep, startChild } from "../children.js"
import { type FaultTest, Findings } from "../fault-test.js"
import { inTurns } from "../in-turns.js"
import { startServer } from "../postgres.js"
import { say, soundness } from "../store.js"

const LEASE_MS = 1_000
/** Beyond the time of the lease: the pause between two tries. */
const PAUSE_MS = 500
/** Writers that are killed at the same time. */
const AT_ONCE = 4

/** Kills a writer of a session in PostgreSQL without a chance to tidy up. */
export const postgresKill: FaultTest = {
  name: "postgres-kill",
  promise:
    "A writer to PostgreSQL killed at any moment leaves every acknowledged entry, once; the next one continues when the lease is over.",
  counts: { short: 4, long: 1_000 },
  async run({ count, seed, programs, progress }) {
    const findings = new Findings()
    const random = new Random(seed)
    const server = await startServer()
    const manager = server.manager({ leaseMs: LEASE_MS })
    let slowest = 0
    try {
      await inTurns(count, AT_ONCE, async (tried) => {
        const access = random.pick(["exclusive", "shared"])
        const [pause, size] = [random.next() * 60, random.pick([100, 4_000, 200_000])]
        const key = await newSession(manager, `kill-${tried}`)
        const args = [JSON.stringify(server.server), key, access, String(LEASE_MS), String(size)]
        const child = startChild(programs.path("append-to-postgres"), args)
        await child.nextLine()
        await sleep(pause)
        await child.kill()
        await check(key, child, `run ${tried}, ${access}`)
        progress(tried + 1)
      })
    } finally {
      await server.stop()
    }
    findings.count("slowest takeover, ms", Math.ceil(slowest))
    return { tried: count, ...findings }

    async function check(key: string, { lines: acknowledged }: Child, what: string): Promise<void> {
      const begin = performance.now()
      const session = await manager.open(key, { access: "shared", busyTimeoutMs: 300_000 })
      const leaf = session.getLeafId()
      const next = say(session, "after the kill")
      await session.close()
      const taken = performance.now() - begin
      slowest = Math.max(slowest, taken)
      findings.count("takeovers in the time of the lease", taken < LEASE_MS + PAUSE_MS ? 1 : 0)
      const { faults, entries } = await soundness(manager, key)
      for (const fault of faults) findings.broken.push(`${what}: ${fault}`)
      const ids = entries.map(({ id }) => id)
      const lost = acknowledged.filter((id) => !ids.includes(id))
      findings.expect(lost.length === 0, () => `${what}: ${lost.length} acknowledged entries are lost`)
      findings.expect(new Set(ids).size === ids.length, () => `${what}: an entry is there twice`)
      // What the killed one had sent may be stored after the session was opened: then it is another child of the same entry.
      const last = entries.at(-1)
      findings.expect(last?.id === next && last.parentId === leaf, () => `${what}: the next append is at a wrong place`)
      findings.count("entries acknowledged", acknowledged.length)
      findings.count("entries found", ids.length - 2)
    }
  },
}

/** The key of a stored session with one entry. */
export async function newSession(manager: SessionManager, id: string): Promise<string> {
  const session = await manager.create("/torture", { id })
  say(session, "first")
  await session.close()
  return session.getSessionFile() ?? ""
}
