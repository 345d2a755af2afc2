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

/** Parses a text. Each object of the value can be made a text, see `withTexts`. @throws SyntaxError */
export function parsedJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return HIDING.test(text) ? withTexts(value) : value
}

/** Names of fields that hide what makes a text of an object, or letters that are escaped, as no program writes them. */
const HIDING = /(?:toString|valueOf)"|\\u00[4-7]/

/** Whether JSON may have such names. */
export function hidesTexts(json: Uint8Array): boolean {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length)
  return HIDDEN.some((part) => bytes.includes(part)) && HIDING.test(bytes.toString("latin1"))
}

const HIDDEN = ['toString"', 'valueOf"', "\\u00"]

/** Lets `String` make a text of objects that have a field `toString` or `valueOf`: it would throw a TypeError. They stay the same JSON. */
export function withTexts<Value>(value: Value): Value {
  const left: unknown[] = [value]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one !== "object" || one === null) continue
    if (Object.hasOwn(one, "toString") || Object.hasOwn(one, "valueOf"))
      Object.assign(one, { [Symbol.toPrimitive]: () => "[object Object]" })
    for (const field of Object.values(one)) if (field !== undefined) left.push(field)
  }
  return value
}

/**
 * The arguments of a call: an object, or its JSON. Anything else, as JSON that was cut off, stands under `input`.
 */
export function callArguments(value: unknown): Json {
  if (isObject(value)) return value
  if (value === undefined || value === null || value === "") return {}
  return (typeof value === "string" && parsedObject(value)) || { input: value }
}

/** Parses a text that may be no JSON. */
export function parsedObject(text: string): Json | undefined {
  if (!text.trimStart().startsWith("{")) return undefined
  try {
    const value = parsedJson(text)
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
