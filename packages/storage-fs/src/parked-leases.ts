// A shared session that is written synchronously takes its lease for each append. To make a lock file and to remove it takes many
// times as long as the append. So a lease that was released keeps its lock while the session continues being written, until nothing was
// appended for a moment, or until somebody else wants the session: in this process at once, in another one at the next check, since
// who waits for a lock sets its time back (`askForLock`). If the process dies, the lock is stale like any other.

/** A lease that was released, and still has its lock. */
export interface ParkedLease {
  /** Whether it was not used since the last call of this. */
  isIdle(): boolean
  /** Whether somebody waits for the lock, or it is gone. */
  isWanted(): boolean
  /** Removes the lock. */
  end(): void
}

/** The lock is kept for as long as this, and at most twice as long, after the last append. */
const CHECK_MS = 10

/** For so long this process leaves a session alone that somebody waited for: who waits asks several times in it. */
const REST_MS = 10

/** By the path of the session file. */
const parked = new Map<string, ParkedLease>()
/** Until when the sessions of these paths are left to others. */
const resting = new Map<string, number>()
let isWaiting = false
let checkedAt = -Infinity
let isExiting = false

// Not at the first lease that is parked: that may be in a listener of this event, and then the event comes no more.
process.once("exit", () => {
  isExiting = true
  for (const path of [...parked.keys()]) endParked(path)
})

/** Keeps the lock of a lease. False while the process exits: nothing ends it later. */
export function parkLease(path: string, lease: ParkedLease): boolean {
  if (isExiting) return false
  if (parked.size === 0) checkedAt = performance.now()
  parked.set(path, lease)
  waitForCheck()
  return true
}

/** Ends what is parked for the path. */
export function endParked(path: string): void {
  const lease = parked.get(path)
  parked.delete(path)
  lease?.end()
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
    if (parked.size > 0) waitForCheck()
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
  for (const [path, lease] of [...parked]) {
    const isWanted = lease.isWanted()
    if (isWanted) resting.set(path, now + REST_MS)
    if (isWanted || lease.isIdle()) endParked(path)
  }
}
