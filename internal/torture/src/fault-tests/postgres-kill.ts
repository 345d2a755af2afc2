import type { SessionManager } from "@treelog/session-core"
import { Random } from "@treelog-internal/test-kit/generator"
import { sleep, startChild } from "../children.js"
import type { FaultTest } from "../fault-test.js"
import { inTurns } from "../in-turns.js"
import { expectNextWriter } from "../next-writer.js"
import { say } from "../store.js"

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
  async run({ count, seed, program, startServer, progress, findings }) {
    const random = new Random(seed)
    const server = await startServer()
    const manager = server.manager({ leaseMs: LEASE_MS })
    let slowest = 0
    await inTurns(count, AT_ONCE, async (tried) => {
      const access = random.pick(["exclusive", "shared"])
      const [pause, size] = [random.next() * 60, random.pick([100, 4_000, 200_000])]
      const key = await newSession(manager, `kill-${tried}`)
      const args = [JSON.stringify(server.server), key, access, String(LEASE_MS), String(size)]
      const child = startChild(program("append-to-postgres"), args)
      await child.nextLine()
      await sleep(pause)
      await child.kill()
      const killed = { lines: child.lines, what: `run ${tried}, ${access}`, access: "shared" as const }
      const taken = await expectNextWriter(findings, manager, key, killed)
      slowest = Math.max(slowest, taken)
      findings.count("takeovers in the time of the lease", taken < LEASE_MS + PAUSE_MS ? 1 : 0)
      progress(tried + 1)
    })
    findings.count("slowest takeover, ms", Math.ceil(slowest))
  },
}

/** The key of a stored session with one entry. */
export async function newSession(manager: SessionManager, id: string): Promise<string> {
  const session = await manager.create("/torture", { id })
  say(session, "first")
  await session.close()
  return session.getSessionFile() ?? ""
}
