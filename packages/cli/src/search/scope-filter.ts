import type { IndexFilter } from "@treelog/session-core/search"
import type { Scope } from "../sessions/scope.js"

/** The sessions of a scope, for an index: in a store that groups sessions by project, those of the project. */
export function filterOfScope({ cwd, project }: Scope): Pick<IndexFilter, "cwd" | "project"> {
  if (project !== undefined) return { project }
  return cwd === undefined ? {} : { cwd }
}
