import { parsedJson } from "@treelog/session-core/json"

/** The fields of a line with a JSON object; an empty object for any other line. */
export function jsonFields(line: string): Readonly<Record<string, unknown>> {
  const value = parsedJson(line)
  return typeof value === "object" && value !== null ? { ...value } : {}
}
