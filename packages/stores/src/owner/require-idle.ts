import type { OwnedSession } from "@treelog/agents"
import { TreelogError } from "@treelog/session-core"
import { isStat, nodeFs, statMany } from "@treelog-internal/fs"
import { RunningAgents } from "../running/running-agents.js"
import type { Surroundings } from "../surroundings.js"

/** What was written so short a time ago may be written again at any moment. Milliseconds. */
const QUIET = 3_000

/**
 * Refuses sessions that their agent has open, or is writing.
 * @throws SessionBusyError
 */
export async function requireIdle(
  surroundings: Surroundings,
  agent: string,
  sessions: readonly OwnedSession[],
  now: number,
): Promise<void> {
  const running = await RunningAgents.now(surroundings)
  const stats = await statMany(
    nodeFs,
    sessions.map(({ path }) => path),
  )
  for (const [at, session] of sessions.entries()) {
    const { path, id, cwd, modified } = session
    const use = await running.using({ agent, path, id, cwd, modified })
    const stat = stats[at]
    const written = isStat(stat) ? Number(stat.mtimeNs) / 1e6 : 0
    if (use) throw busy(path, `It is in use by process ${use.process.pid}`, use.process.pid, use.process.started)
    if (Math.abs(now - written) < QUIET) throw busy(path, "It was written a moment ago", 0, written)
  }
}

function busy(key: string, why: string, pid: number, since: number): TreelogError<"SessionBusyError"> {
  const message = `${why}: ${key}. End its agent, and try again.`
  return new TreelogError("SessionBusyError", message, { key, pid, host: "", since: new Date(since).toISOString() })
}
