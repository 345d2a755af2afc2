import { isTreelogError, type TreelogError } from "@treelog/session-core"
import { expect } from "vitest"

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
