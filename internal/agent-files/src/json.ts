/** An object of plain JSON. */
export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The text of a field; undefined where it is none, or empty. */
export function textIn(object: Json, name: string): string | undefined {
  const value = object[name]
  return typeof value === "string" && value !== "" ? value : undefined
}

/** The object in a field. */
export function objectIn(object: Json, name: string): Json | undefined {
  const value = object[name]
  return isObject(value) ? value : undefined
}

/** A number that can be counted with; 0 for anything else, and for less than nothing. */
export function countIn(object: Json, name: string): number {
  const value = object[name]
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0
}

/** The objects of a list; none for what is no list. */
export function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The object without some of its fields. */
export function without(object: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** Parses a text that may be no JSON. */
export function parsedObject(text: string): Json | undefined {
  if (!text.trimStart().startsWith("{")) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
