/** An object of a stored session, with unchecked fields. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The value if it is a string. */
export function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

/** A finite number, or 0. */
export function numberIn(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0
}

/** The blocks of a message's content: a string becomes one text block. */
export function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  return Array.isArray(content) ? content.filter(isFields) : []
}
