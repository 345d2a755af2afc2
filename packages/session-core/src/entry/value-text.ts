/**
 * Any stored value as a short text for a message. Never throws, unlike `String` for an object with its own `toString` and
 * `JSON.stringify` for deep nesting. The text may contain anything that was stored: escape it before you display it.
 */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return "none"
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === "object" ? "an object" : String(value)
}
