import { contentText } from "@treelog/session-core"

/** A JSON object with unchecked fields. */
export type JsonObject = Record<string, unknown>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A string that is not empty. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

/** A count of a stored object; 0 where it is missing or none. */
export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0
}

/** The text of a message's content. */
export function textOf(content: unknown): string {
  return contentText(content)
}
