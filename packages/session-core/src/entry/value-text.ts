/**
 * Any stored value as a few words for a message. It never throws, as `String` does for an object with a `toString` of its own
 * and `JSON.stringify` for deep nesting. The text may hold anything that was stored: whoever prints it cleans it.
 */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return "none"
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === "object" ? "an object" : String(value)
}
