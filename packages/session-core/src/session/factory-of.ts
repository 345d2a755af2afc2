import type { SessionFactory } from "./session-factory.js"
import { partsOf } from "./session-parts.js"

/**
 * The factory of a manager, for functions of this package that take a manager.
 * @throws InvalidArgumentError for an object that is not a `SessionManager` of this copy of the package
 */
export function factoryOf(sessions: object): SessionFactory {
  return partsOf("SessionManager", sessions) as SessionFactory
}
