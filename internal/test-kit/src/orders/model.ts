import { isDeepStrictEqual } from "node:util"
import { isTreelogError, type TreelogError, type TreelogErrorCode } from "@treelog/session-core"

/** What may be answered while others hold the session, or after it was closed. */
const CALM: readonly TreelogErrorCode[] = ["SessionBusyError", "SessionClosedError", "ReadOnlySessionError"]
/** And where the session is removed or replaced, or a call fails. */
const DISTURBED: readonly TreelogErrorCode[] = [
  ...CALM,
  "PersistError",
  "SessionChangedError",
  "SessionNotFoundError",
  "SessionExistsError",
  "StorageError",
]

/** What must be stored, whatever the order in which things happened. */
export class Model {
  /** The steps that have started and not ended. */
  readonly underWay: string[] = []
  readonly #allowed: readonly TreelogErrorCode[]
  /** One list for each acknowledgement. */
  readonly #acknowledged: { readonly key: string; readonly ids: readonly string[] }[] = []
  /** When each entry was appended. */
  readonly #appended = new Map<string, number>()
  readonly #removed = new Map<string, number>()
  #time = 0

  constructor(isDisturbed: boolean) {
    this.#allowed = isDisturbed ? DISTURBED : CALM
  }

  /** Runs a step; expected errors are not faults. */
  async step(name: string, work: () => Promise<void>): Promise<void> {
    this.underWay.push(name)
    try {
      await work()
    } catch (error) {
      // A lease that was not free in time is stored in the error of the writer.
      const refusal = isTreelogError(error, "PersistError") ? [error.cause, error] : [error]
      if (refusal.some((one) => isTreelogError(one) && (this.#allowed.includes(one.code) || isTooEarly(one)))) return
      throw new Error(`${name}: ${String(error)}`, { cause: error })
    } finally {
      this.underWay.splice(this.underWay.indexOf(name), 1)
    }
  }

  /** An entry exists from now on. */
  appended(id: string): void {
    this.#appended.set(id, this.#tick())
  }

  /** These must be stored under the key, in this order, but for those that were removed since they were appended. */
  acknowledged(key: string, ids: readonly string[]): void {
    this.#acknowledged.push({ key, ids })
  }

  removed(key: string): void {
    this.#removed.set(key, this.#tick())
  }

  #tick(): number {
    this.#time += 1
    return this.#time
  }

  /** Compares what is stored under a key with what must be. */
  check(key: string, stored: readonly string[]): void {
    this.isOnce(`what is stored at ${key}`, stored)
    for (const { ids } of this.#acknowledged.filter((one) => one.key === key)) {
      const due = ids.filter((id) => (this.#appended.get(id) ?? 0) > (this.#removed.get(key) ?? 0))
      const lost = due.filter((id) => !stored.includes(id))
      this.equals(`the entries that were acknowledged and are not stored at ${key}`, lost, [])
      const places = due.map((id) => stored.indexOf(id))
      this.equals(
        `the order of ${due.join(", ")} at ${key}`,
        places,
        [...places].sort((a, b) => a - b),
      )
    }
  }

  isOnce(what: string, ids: readonly string[]): void {
    this.equals(
      `the ids that are twice in ${what}`,
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    )
  }

  equals(what: string, actual: unknown, expected: unknown): void {
    if (isDeepStrictEqual(actual, expected)) return
    throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
  }
}

/** What cannot be written without promises now, while `saveAs` is under way, is written by whoever waits. */
function isTooEarly(error: TreelogError): boolean {
  return isTreelogError(error, "StorageError") && error.data.operation === "flushSync"
}
