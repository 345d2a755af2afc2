import { join } from "node:path"
import type { Case, Contender } from "../question.js"
import { loadOmp, OMP, OMP_IS_ABSENT } from "./omp.js"
import { loadPi, loadPi1, PI_1_IS_ABSENT, type PiManagers } from "./pi.js"

/** Does the work by calls that pi, omp and treelog for pi have. omp's `open` returns a promise. */
export type ByPiCalls = (managers: PiManagers, folder: string, scratch: string) => ReturnType<Contender>

/** The names of those whose answers are compared. */
export const PIS = PI_1_IS_ABSENT ? ["pi"] : ["pi", "pi 1.6.0"]

const ABSENT = {
  ...(PI_1_IS_ABSENT && { "pi 1.6.0": PI_1_IS_ABSENT }),
  ...(OMP_IS_ABSENT && { [OMP]: OMP_IS_ABSENT }),
}

/** These functions read their folders from the environment. */
export function byPiCalls(load: () => Promise<PiManagers>, contender: ByPiCalls): Contender {
  return async (folder, scratch) => {
    process.env.PI_CODING_AGENT_DIR = join(folder, "agent")
    process.env.TREELOG_CACHE_DIR = join(folder, "cache")
    return contender(await load(), folder, scratch)
  }
}

/**
 * Adds pi 0.74.2 to a case, and pi 1.6.0 and omp where they run. omp is a probe, since its answers differ: its contexts leave out answers that
 * failed, and its lists do not read whole sessions.
 */
export function besidePeers<Own extends Pick<Case, "contenders" | "probes">>(own: Own, contender: ByPiCalls) {
  const pis = {
    pi: byPiCalls(loadPi, contender),
    ...(!PI_1_IS_ABSENT && { "pi 1.6.0": byPiCalls(loadPi1, contender) }),
  }
  return {
    ...own,
    contenders: { ...own.contenders, ...pis },
    probes: { ...(!OMP_IS_ABSENT && { [OMP]: byPiCalls(loadOmp, contender) }), ...own.probes },
    absent: ABSENT,
  }
}
