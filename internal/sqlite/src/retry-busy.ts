import { setTimeout as sleep } from "node:timers/promises"
import { isBusy } from "./sqlite-fault.js"

/** How long a statement waits for a lock. Short, since it blocks the process. Milliseconds. */
export const BLOCKING_WAIT = 100

/** How long to wait for locks of other processes in total. Milliseconds. */
const PATIENCE = 30_000

/**
 * Retries while other processes lock the database, without blocking this process. Throws the last error.
 * @param patience for how long. Milliseconds
 */
export async function retryBusy<Result>(attempt: () => Result | Promise<Result>, patience = PATIENCE): Promise<Result> {
  for (const start = Date.now(); ; await sleep(5 + 45 * Math.random())) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error) || Date.now() - start > patience) throw error
    }
  }
}
