/**
 * Writes a value as `JSON.stringify` does, at any depth of nesting: `JSON.stringify` is recursive and throws a RangeError after a
 * few thousand levels, while `JSON.parse` reads millions. Undefined for a value that JSON cannot represent.
 * @param form `indented`: two spaces for each level; on one line, where values are nested more deeply than 100 levels
 * @throws TypeError for a BigInt and for a cycle; RangeError for a text longer than a string can be
 */
export function jsonText(value: object, form?: "indented"): string
export function jsonText(value: unknown, form?: "indented"): string | undefined
export function jsonText(value: unknown, form?: "indented"): string | undefined {
  if (form && !isDeeperThan(value, MAX_INDENTED_DEPTH)) return JSON.stringify(value, null, 2)
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return deepText(value)
  }
}

/** The value of a JSON text; undefined for a text that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Indentation grows with the square of the depth. Levels. */
const MAX_INDENTED_DEPTH = 100

/** Whether a JSON value is nested more deeply than `limit`. Not recursive, so that any depth is safe. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []))
  }
  return false
}

/** Writes JSON without recursion. */
function deepText(top: unknown): string | undefined {
  const pieces: string[] = []
  const begun: { container: object; members: Iterator<[string | number, unknown]>; separator: string }[] = []
  /** The containers of `begun`, to detect cycles. */
  const above = new Set<object>()
  const begin = (value: unknown): void => {
    if (typeof value !== "object" || value === null || isBoxed(value)) {
      pieces.push(JSON.stringify(value))
      return
    }
    if (above.has(value)) throw new TypeError("Converting circular structure to JSON")
    above.add(value)
    const isList = Array.isArray(value)
    pieces.push(isList ? "[" : "{")
    begun.push({ container: value, members: isList ? value.entries() : Object.entries(value).values(), separator: "" })
  }
  const value = replaced(top, "")
  if (!isWritten(value)) return undefined
  begin(value)
  for (let last = begun.at(-1); last; last = begun.at(-1)) {
    const isList = Array.isArray(last.container)
    const next = last.members.next()
    if (next.done) {
      pieces.push(isList ? "]" : "}")
      above.delete(last.container)
      begun.pop()
      continue
    }
    const [key, member] = next.value
    const value = replaced(member, String(key))
    if (!isList && !isWritten(value)) continue
    pieces.push(last.separator, isList ? "" : `${JSON.stringify(key)}:`)
    last.separator = ","
    begin(isWritten(value) ? value : null)
  }
  return pieces.join("")
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

/** What Codex puts before the output of a tool. */
const HEAD = /^(?:(?:Exit code|Wall time|Output):[^\n]*\n)*/
const ESCAPE = /\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g

/**
 * The result of a tool for a reader: of one that is JSON in one line, as programs store what servers of MCP answered, with the line ends and the
 * characters that it escapes. Any other text as it is.
 */
export function readableResult(text: string): string {
  if (!text.includes("\\")) return text
  const [head = ""] = HEAD.exec(text) ?? []
  const body = text.slice(head.length).trimEnd()
  if (!/^[[{]/.test(body) || body.includes("\n") || parsedJson(body) === undefined) return text
  return head + body.replace(ESCAPE, (escaped) => String(parsedJson(`"${escaped}"`)))
}
