import { jsonText } from "@treelog/session-core/json"

/** JSON that strict readers take: half of a surrogate pair, where a text was cut, is the replacement character. */
export function interchangeJson(value: object): string {
  const json = jsonText(value)
  return json.includes("\\ud") ? json.replace(ESCAPE, (all, half) => (half === undefined ? all : "\ufffd")) : json
}

/** A backslash that is text, or half of a pair: JSON has these escapes of no others. */
const ESCAPE = /\\(?:\\|u(d[89a-f][0-9a-f]{2}))/g
