import { inspect, isDeepStrictEqual } from "node:util"
import { isTreelogError, type TreelogErrorCode } from "@treelog/session-core"

// With assertions of its own the contract runs under every test runner, and without one.

export function ok(condition: boolean, claim: string): asserts condition {
  if (!condition) throw new Error(`This does not hold: ${claim}`)
}

/** Deep equality of plain values. `what` names the value in the message. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [is, not] = [expected, actual].map((value) => inspect(value, { depth: null }))
  ok(isDeepStrictEqual(actual, expected), `${what} is ${is}, not ${not}`)
}

/** Resolves to the error that `attempt` fails with; fails when it succeeds. */
export async function failure(attempt: Promise<unknown>, what: string): Promise<unknown> {
  const [outcome] = await Promise.allSettled([attempt])
  ok(outcome.status === "rejected", `${what} fails`)
  return outcome.reason
}

/** Asserts that `attempt` fails with a treelog error of the code. */
export async function failsWith(code: TreelogErrorCode, attempt: Promise<unknown>, what: string): Promise<void> {
  const error = await failure(attempt, what)
  ok(isTreelogError(error, code), `${what} fails with a ${code}, not ${error}`)
}
