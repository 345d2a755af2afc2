import { isTreelogError, type TreelogError } from "@treelog/session-core"
import { expect } from "vitest"
import { tries } from "../tries.js"
import { type FaultKind, type FaultPlan, isErrno } from "./fault.js"
import { FaultFs } from "./fault-fs.js"

/** One run of a scenario, in which one call fails. */
export interface FaultRun {
  readonly plan: FaultPlan
  /** Puts the fault before a file system; to be called once. It waits for `arm()`. */
  inject<T extends object>(real: T): FaultFs<T>
}

/**
 * Runs the scenario once for each kind of fault and each call that it makes while armed, until a run makes no further
 * call. Of several errnos, each call fails with one, in turn; by `npm run test:long`, with each of them. Resolves to the
 * number of faults; a failure says at which one.
 */
export async function forEachFault(
  kinds: readonly FaultKind[],
  scenario: (run: FaultRun) => Promise<void>,
  options: Omit<FaultPlan, "fault" | "at"> = {},
): Promise<number> {
  const errnos = kinds.filter(isErrno)
  const turns = errnos.slice(0, tries(1)).map((_, turn) => [...errnos.slice(turn), ...errnos.slice(0, turn)])
  const others = kinds.filter((kind) => !isErrno(kind)).map((kind) => [kind])
  let faults = 0
  for (const turn of [...turns, ...others]) {
    const kindAt = (at: number) => turn[(at - 1) % turn.length] as FaultKind
    for (let at = 1; await runOnce({ ...options, fault: kindAt(at), at }, scenario); at++) faults++
  }
  return faults
}

/** Resolves to whether the fault was met. */
async function runOnce(plan: FaultPlan, scenario: (run: FaultRun) => Promise<void>): Promise<boolean> {
  let faulty: FaultFs<object> | undefined
  const inject = <T extends object>(real: T): FaultFs<T> => {
    const injected = new FaultFs(real, plan, { armed: false })
    faulty = injected
    return injected
  }
  try {
    await scenario({ plan, inject })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const where = `${plan.late ? "late " : ""}${plan.fault} at call ${plan.at} (${faulty?.hit ?? "not met"})`
    throw new Error(`With ${where}: ${reason}`, { cause: error })
  }
  return faulty?.hit !== undefined
}

/** Runs an action, and once more if it fails, which must be with a typed error. */
export async function twice<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    expectTyped(error)
    return action()
  }
}

export function expectTyped(error: unknown): asserts error is TreelogError {
  if (!isTreelogError(error, "StorageError")) throw error
  expect(error.data.errno).toMatch(/^E[A-Z]+$/)
  expect(error.cause).toBeInstanceOf(Error)
}
