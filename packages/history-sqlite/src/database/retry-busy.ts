import { setTimeout as sleep } from "node:timers/promises"
import { isBusy } from "./sqlite-fault.js"

/** Milliseconds for which a statement itself waits for a lock. Nothing else runs meanwhile, so it is short. */
export const BLOCKING_WAIT = 100

/** Milliseconds for which a lock of other processes is waited for in all. */
const PATIENCE = 30_000

/** Tries again, while other things run, as long as other processes hold the database. The last fault is thrown. */
export async function retryBusy<Result>(attempt: () => Result | Promise<Result>): Promise<Result> {
  for (const start = Date.now(); ; await sleep(5 + 45 * Math.random())) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error) || Date.now() - start > PATIENCE) throw error
    }
  }
}
