/**
 * Work that runs with promises or without, by the same code. What can be done at once is done between two steps, and nothing else runs
 * meanwhile. A step is what may have to be waited for; where nothing can be waited for, its `now` is done instead.
 */
export type Steps<T> = Generator<Step, T, unknown>

export interface Step {
  readonly later: () => Promise<unknown>
  readonly now: () => unknown
}

/** @param now by default, this can only be waited for, and callers that cannot wait were refused before */
export function* step<T>(later: () => Promise<T>, now: () => T = onlyLater): Steps<T> {
  return (yield { later, now }) as T
}

/** Runs work, and waits where it has to. */
export async function run<T>(steps: Steps<T>): Promise<T> {
  let next = steps.next()
  while (!next.done) {
    let outcome: unknown
    try {
      outcome = await next.value.later()
    } catch (error) {
      next = steps.throw(error)
      continue
    }
    next = steps.next(outcome)
  }
  return next.value
}

/** Runs work at once. */
export function runNow<T>(steps: Steps<T>): T {
  let next = steps.next()
  while (!next.done) {
    let outcome: unknown
    try {
      outcome = next.value.now()
    } catch (error) {
      next = steps.throw(error)
      continue
    }
    next = steps.next(outcome)
  }
  return next.value
}

function onlyLater(): never {
  throw new Error("This step needs a promise.")
}

/** What storages make steps with, by one name. */
export const Steps = { step, run, runNow }
