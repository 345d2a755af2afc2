import { TreelogError } from "@treelog/session-core"
import { joinBytes, type StorageStat } from "@treelog/session-core/adapter"
import type { HeldObject, StoredObject } from "./object-store.js"

const LF = 10

/** Writes each value as a line of JSON. @throws UnserializableEntryError for what JSON would lose */
export function encodeLines(values: readonly object[]): Uint8Array {
  const encoder = new TextEncoder()
  return joinBytes(values.map((value, index) => encoder.encode(`${lineOf(value, index)}\n`)))
}

/** Parses lines of JSON. A last line without LF was never acknowledged, and does not count. @throws StorageError for damage */
export function decodeLines<T>(key: string, bytes: Uint8Array): T[] {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  const values: T[] = []
  for (let from = 0, end = bytes.indexOf(LF); end !== -1; from = end + 1, end = bytes.indexOf(LF, from)) {
    try {
      values.push(JSON.parse(decoder.decode(bytes.subarray(from, end))))
    } catch (cause) {
      const message = `Line ${values.length + 2} of ${key} is damaged: it is not JSON. Restore the object from a backup.`
      throw new TreelogError("StorageError", message, { key, operation: "read", errno: undefined }, { cause })
    }
  }
  return values
}

/** Appends lines, and returns the new state. What a killed writer left of a line is removed before. */
export async function appendLines(held: HeldObject, lines: Uint8Array): Promise<StorageStat> {
  const before = await held.stat()
  const [last] = before ? await held.readFrom(before, before.size - 1) : [LF]
  const torn = last === LF ? undefined : await held.find()
  return torn ? held.write(await withoutTornLine(held, torn, lines)) : held.append(lines)
}

async function withoutTornLine(held: HeldObject, torn: StoredObject, lines: Uint8Array): Promise<Uint8Array> {
  const content = await held.readFrom(torn.stat, torn.start)
  return joinBytes([content.subarray(0, content.lastIndexOf(LF) + 1), lines])
}

function lineOf(value: object, index: number): string {
  const fault = (reason: string, cause?: unknown) => {
    const message = `Item ${index + 1} cannot be stored as JSON: ${reason}. Nothing was stored.`
    return new TreelogError("UnserializableEntryError", message, { type: typeOf(value), reason }, { cause })
  }
  try {
    return JSON.stringify(value, function (this: Record<string, unknown>, key, written) {
      // The value itself, not what its method toJSON returns.
      const reason = lossOf(this[key], Array.isArray(this))
      if (reason !== undefined) throw fault(`${JSON.stringify(key)} is ${reason}`)
      return written
    })
  } catch (error) {
    // A cycle, or a text longer than a string can be.
    if (error instanceof TypeError || error instanceof RangeError) throw fault(error.message, error)
    throw error
  }
}

/** What JSON would lose, if it is that. An undefined member of an object is the same as none. */
function lossOf(value: unknown, isInArray: boolean): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : String(value)
  if (value === undefined) return isInArray ? "undefined" : undefined
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`
  const tag = Object.prototype.toString.call(value)
  const isPlain = typeof value !== "object" || value === null || tag === "[object Object]" || Array.isArray(value)
  return isPlain ? undefined : tag
}

function typeOf(value: object): string {
  return "type" in value && typeof value.type === "string" ? value.type : "item"
}
