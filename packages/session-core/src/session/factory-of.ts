import { TreelogError } from "../errors.js"
import type { SessionFactory } from "./session-factory.js"

/** Kept here and not on the class, so that the public type has no member for them. */
const FACTORIES = /* @__PURE__ */ new WeakMap<object, SessionFactory>()

/** Makes `factoryOf` find the factory of a new manager. */
export function keepFactory(manager: object, factory: SessionFactory): void {
  FACTORIES.set(manager, factory)
}

/**
 * The factory of a manager, for functions of this package that take a manager.
 * @throws InvalidArgumentError for an object that is not a `SessionManager` of this copy of the package
 */
export function factoryOf(manager: object): SessionFactory {
  const factory = FACTORIES.get(manager)
  if (factory) return factory
  const message = "This is not a SessionManager of this copy of treelog: is @treelog/session-core installed twice?"
  throw new TreelogError("InvalidArgumentError", message, { argument: "sessions", value: manager })
}
