import type { FaultKind, FaultPlan } from "./fault.js"
import { FaultFs } from "./fault-fs.js"

/** One run of a scenario, in which one call fails. */
export interface FaultRun {
  readonly plan: FaultPlan
  /** Puts the fault before a file system; to be called once. It waits for `arm()`. */
  inject<T extends object>(real: T): FaultFs<T>
}

/**
 * Runs the scenario once for each kind of fault and each call that it makes while armed, until a run makes no further
 * call. Resolves to the number of faults; a failure says at which one.
 */
export async function forEachFault(
  kinds: readonly FaultKind[],
  scenario: (run: FaultRun) => Promise<void>,
  options: Omit<FaultPlan, "fault" | "at"> = {},
): Promise<number> {
  let faults = 0
  for (const fault of kinds) {
    for (let at = 1; await runOnce({ ...options, fault, at }, scenario); at++) faults++
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
