import { setTimeout as delay } from "node:timers/promises"
import { TreelogError } from "@treelog/session-core"
import type { FoundLock } from "./lock-file.js"

const FIRST_DELAY_MS = 2
const MAX_DELAY_MS = 25

/**
 * Asks again and again until the lock is taken or the time is over. The delays grow, and are never alike, so that many
 * who wait do not ask all at once.
 * @throws SessionBusyError
 */
export async function waitForLock(
  key: string,
  lockPath: string,
  waitMs: number,
  take: () => Promise<FoundLock | undefined>,
): Promise<void> {
  const deadline = performance.now() + waitMs
  for (let most = FIRST_DELAY_MS; ; most = Math.min(2 * most, MAX_DELAY_MS)) {
    const holder = await take()
    if (holder === undefined) return
    const left = deadline - performance.now()
    if (left <= 0) throw sessionBusy(key, lockPath, holder)
    await delay(Math.min(left, most * (0.5 + Math.random() / 2)))
  }
}

export function sessionBusy(
  key: string,
  lockPath: string,
  { record, modified }: FoundLock,
): TreelogError<"SessionBusyError"> {
  if (record) {
    const { pid, host, since } = record
    const message = `The session is held by process ${pid} on ${host} since ${since}: ${key}.`
    return new TreelogError("SessionBusyError", message, { key, pid, host, since })
  }
  const since = new Date(modified).toISOString()
  const message = `The session is held since ${since} by a lock that cannot be read: ${lockPath}. Remove it if nobody uses the session.`
  return new TreelogError("SessionBusyError", message, { key, pid: 0, host: "unknown", since })
}
