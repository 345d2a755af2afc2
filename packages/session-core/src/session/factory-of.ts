import { TreelogError } from "../errors.js"
import type { SessionFactory } from "./session-factory.js"

/** As `PARTS` of a session. */
const FACTORY = /* @__PURE__ */ Symbol("factory")

/** Makes `factoryOf` find the factory of a new manager. */
export function keepFactory(manager: object, factory: SessionFactory): void {
  Object.defineProperty(manager, FACTORY, { value: factory })
}

/**
 * The factory of a manager, for functions of this package that take a manager.
 * @throws InvalidArgumentError for an object that is not a `SessionManager` of this copy of the package
 */
export function factoryOf(manager: object): SessionFactory {
  if (hasFactory(manager)) return manager[FACTORY]
  const message = "This is not a SessionManager of this copy of treelog: is @treelog/session-core installed twice?"
  throw new TreelogError("InvalidArgumentError", message, { argument: "sessions", value: manager })
}

function hasFactory(manager: object): manager is { readonly [FACTORY]: SessionFactory } {
  return Object.hasOwn(manager, FACTORY)
}
