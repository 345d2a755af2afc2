// A shared session that is written synchronously would take its lease for each append. To make a lock file and to remove it takes many
// times as long as the append. So the lease is kept while the session continues being written, until nothing was appended for a
// moment, or until another wants the session: in this process at once, in another one at the next check, since who waits for a lock
// sets its time back (`askForLock`). If the process dies, the lock is stale like any other.

/** A lease that is kept for the next append. */
export interface KeptLease {
  /** Whether it was not used since the last call of this. */
  isIdle(): boolean
  /** Whether another waits for the lock, or it is gone. */
  isWanted(): boolean
  /** Asks its holder to release it, at once or when what is under way is done. */
  giveUp(): void
}

/** The lock is kept for as long as this, and at most twice as long, after the last append. */
const CHECK_MS = 10

/** For so long this process leaves a session alone that another process waited for, which asks several times in it. */
const REST_MS = 10

/** By the path of the session file. */
const kept = new Map<string, KeptLease>()
/** Until when the sessions of these paths are left to others. */
const resting = new Map<string, number>()
let isWaiting = false
let checkedAt = -Infinity
let isExiting = false

// Not at the first lease that is kept: that may be in a listener of this event, and then the event comes no more.
process.once("exit", () => {
  isExiting = true
  for (const lease of [...kept.values()]) lease.giveUp()
})

/** False while the process exits: nothing would ask for the lease later. */
export function keepLease(path: string, lease: KeptLease): boolean {
  if (isExiting) return false
  if (kept.size === 0) checkedAt = performance.now()
  kept.set(path, lease)
  waitForCheck()
  return true
}

/** The lease is released. */
export function forgetKept(path: string, lease: KeptLease): void {
  if (kept.get(path) === lease) kept.delete(path)
}

/** Asks for the lease that is kept for the path. */
export function askForKept(path: string): void {
  kept.get(path)?.giveUp()
}

/** How long to wait before the session is taken again, so that who waits for it can have it. Milliseconds. */
export function restOf(path: string): number {
  return Math.max(0, (resting.get(path) ?? 0) - performance.now())
}

function waitForCheck(): void {
  if (isWaiting) return
  isWaiting = true
  const onTime = () => {
    isWaiting = false
    check()
    if (kept.size > 0) waitForCheck()
  }
  setTimeout(onTime, CHECK_MS).unref()
}

/** Checks where the timer cannot: an append that is one of many in a loop, which never returns to the event loop. */
export function checkIfLate(): void {
  if (performance.now() - checkedAt >= 2 * CHECK_MS) check()
}

function check(): void {
  const now = performance.now()
  checkedAt = now
  for (const [path, until] of resting) if (until < now) resting.delete(path)
  for (const [path, lease] of [...kept]) {
    const isWanted = lease.isWanted()
    if (isWanted) resting.set(path, now + REST_MS)
    if (isWanted || lease.isIdle()) lease.giveUp()
  }
}
