// A shared session that is written synchronously takes its lease for each append. To make a lock file and to remove it takes four
// times as long as the append. So a lease that was released keeps its lock until this turn of the event loop has ended, or until
// somebody else in this process wants the session; other processes wait for it no longer than for a batch that is written
// asynchronously. If the process dies, the lock is stale like any other.

/** A lease that was released, and still has its lock. */
interface ParkedLease {
  /** Removes the lock. */
  end(): void
}

/** By the path of the session file. */
const parked = new Map<string, ParkedLease>()
let isTurnWaiting = false
let isExiting = false

// Not at the first lease that is parked: that may be in a listener of this event, and then the event comes no more.
process.once("exit", () => {
  isExiting = true
  endAllParked()
})

/** Ends the lease with this turn. False while the process exits: that is its last turn, and the lease is to be ended at once. */
export function parkLease(path: string, lease: ParkedLease): boolean {
  if (isExiting) return false
  parked.set(path, lease)
  if (!isTurnWaiting) {
    isTurnWaiting = true
    setImmediate(() => {
      isTurnWaiting = false
      endAllParked()
    })
  }
  return true
}

/** Ends what is parked for the path. */
export function endParked(path: string): void {
  const lease = parked.get(path)
  parked.delete(path)
  lease?.end()
}

function endAllParked(): void {
  for (const path of [...parked.keys()]) endParked(path)
}
