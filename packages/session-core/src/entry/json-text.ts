/** Values nested more deeply are written on one line, since indentation grows with the square of the depth. Levels. */
const MAX_INDENTED_DEPTH = 100

/**
 * Writes a value as `JSON.stringify` does, at any depth of nesting: `JSON.stringify` is recursive and throws a RangeError after a
 * few thousand levels, while `JSON.parse` reads millions. Undefined for a value that JSON cannot represent.
 * @param indent spaces per level; values nested more deeply than 100 levels are written without indentation
 * @throws TypeError for a BigInt and for a cycle; RangeError for a text longer than a string can be
 */
export function jsonText(value: object, indent?: number): string
export function jsonText(value: unknown, indent?: number): string | undefined
export function jsonText(value: unknown, indent = 0): string | undefined {
  if (indent > 0 && !isDeeperThan(value, MAX_INDENTED_DEPTH)) return JSON.stringify(value, null, indent)
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return new DeepWriter().write(value)
  }
}

/** Whether a JSON value is nested more deeply than `limit`. Not recursive, so that any depth is safe. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []))
  }
  return false
}

/** An object or array that is being written. */
interface Begun {
  readonly container: object
  /** Undefined for an array. */
  readonly keys: readonly string[] | undefined
  /** Index of the next member. */
  next: number
  isEmpty: boolean
}

/** Writes JSON without recursion. */
class DeepWriter {
  readonly #pieces: string[] = []
  readonly #begun: Begun[] = []
  /** The containers of `#begun`, to detect cycles. */
  readonly #above = new Set<object>()

  write(top: unknown): string | undefined {
    const value = replaced(top, "")
    if (!isWritten(value)) return undefined
    this.#begin(value)
    for (let begun = this.#begun.at(-1); begun; begun = this.#begun.at(-1)) this.#writeNext(begun)
    return this.#pieces.join("")
  }

  #begin(value: unknown): void {
    if (typeof value !== "object" || value === null || isBoxed(value)) {
      this.#pieces.push(JSON.stringify(value))
      return
    }
    if (this.#above.has(value)) throw new TypeError("Converting circular structure to JSON")
    this.#above.add(value)
    const keys = Array.isArray(value) ? undefined : Object.keys(value)
    this.#pieces.push(keys ? "{" : "[")
    this.#begun.push({ container: value, keys, next: 0, isEmpty: true })
  }

  #writeNext(begun: Begun): void {
    const { container, keys, next } = begun
    if (next === (keys ?? (container as unknown[])).length) {
      this.#pieces.push(keys ? "}" : "]")
      this.#above.delete(container)
      this.#begun.pop()
      return
    }
    begun.next += 1
    const key = keys?.[next] ?? String(next)
    const value = replaced((container as Record<string, unknown>)[key], key)
    if (keys && !isWritten(value)) return
    if (!begun.isEmpty) this.#pieces.push(",")
    begun.isEmpty = false
    if (keys) this.#pieces.push(JSON.stringify(key), ":")
    this.#begin(isWritten(value) ? value : null)
  }
}

/** The result of an object's `toJSON`, such as a date's. */
function replaced(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !("toJSON" in value)) return value
  return typeof value.toJSON === "function" ? value.toJSON(key) : value
}

/** Whether JSON can represent the value: undefined, functions and symbols are left out of objects, and null in arrays. */
function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol"
}

/** Whether the value is a `String`, `Number` or `Boolean` object, which is written as its primitive. */
function isBoxed(value: object): boolean {
  return value instanceof String || value instanceof Number || value instanceof Boolean
}
