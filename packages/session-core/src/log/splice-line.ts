import { isJsonObject, type JsonObject } from "../entry/values.js"
import { joinBytes } from "./bytes.js"
import { encodeLine, encodeText } from "./format-line.js"
import { jsonItems, jsonMembers } from "./json-members.js"

/**
 * The text of a changed record, without a line end. Whatever is the same object or value before and after is copied as it
 * stands in the original's text: numbers that no double can hold, keys in an order that no object can keep, bytes that are not
 * UTF-8. New members come behind the one that they follow in the changed record.
 * @param raw the text of the original
 * @param before the original, parsed from that text
 * @param after the changed record, which shares with `before` what is the same
 * @throws UnserializableEntryError for a new value that JSON cannot represent
 */
export function spliceLine(raw: Uint8Array, before: JsonObject, after: JsonObject): Uint8Array {
  return joinBytes(spliceValue(raw, before, after))
}

/** Each level is gone through once more for each that is above it: what changes below this one is written anew. */
const DEEPEST = 100

function spliceValue(raw: Uint8Array, before: unknown, after: unknown, depth = 0): Uint8Array[] {
  if (after === before) return [raw]
  if (depth === DEEPEST) return formatted(after)
  if (isJsonObject(before) && isJsonObject(after)) return spliceObject(raw, before, after, depth + 1)
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return spliceArray(raw, before, after, depth + 1)
  return formatted(after)
}

/** Formatted as the one member of a record, so that what is not JSON is refused in the same way everywhere. */
function formatted(value: unknown): Uint8Array[] {
  return [encodeLine({ value }).subarray('{"value":'.length, -2)]
}

/** A member of the changed object, as it will stand in its text. */
interface Piece {
  readonly key: string
  readonly bytes: readonly Uint8Array[]
}

function spliceObject(raw: Uint8Array, before: JsonObject, after: JsonObject, depth: number): Uint8Array[] {
  const members = jsonMembers(raw)
  const lastOf = new Map(members.map(({ key }, index) => [key, index]))
  const pieces: Piece[] = []
  for (const [index, { key, keyBytes, valueBytes }] of members.entries()) {
    if (!has(after, key)) continue
    // Of members with the same key the last counts: its text is that of the value. The others stay where nothing changes.
    if (lastOf.get(key) === index)
      pieces.push({ key, bytes: [keyBytes, COLON, ...spliceValue(valueBytes, before[key], after[key], depth)] })
    else if (after[key] === before[key]) pieces.push({ key, bytes: [keyBytes, COLON, valueBytes] })
  }
  addNewMembers(pieces, after, lastOf)
  return wrapped(
    OPEN_OBJECT,
    pieces.map(({ bytes }) => bytes),
    CLOSE_OBJECT,
  )
}

/** Puts each new member behind the one that it follows in the changed record. */
function addNewMembers(pieces: Piece[], after: JsonObject, known: ReadonlyMap<string, unknown>): void {
  let previous: string | undefined
  for (const key of Object.keys(after)) {
    if (!has(after, key)) continue
    if (!known.has(key)) {
      const at = previous === undefined ? 0 : pieces.map((piece) => piece.key).lastIndexOf(previous) + 1
      pieces.splice(at, 0, {
        key,
        bytes: [encodeText(JSON.stringify(key)), COLON, ...spliceValue(NOTHING, undefined, after[key])],
      })
    }
    previous = key
  }
}

function spliceArray(
  raw: Uint8Array,
  before: readonly unknown[],
  after: readonly unknown[],
  depth: number,
): Uint8Array[] {
  const items = jsonItems(raw).map((item, index) => spliceValue(item, before[index], after[index], depth))
  return wrapped(OPEN_ARRAY, items, CLOSE_ARRAY)
}

function wrapped(open: Uint8Array, items: readonly (readonly Uint8Array[])[], close: Uint8Array): Uint8Array[] {
  return [open, ...items.flatMap((item, index) => (index === 0 ? item : [COMMA, ...item])), close]
}

/** A member whose value is undefined does not count, as in JSON.stringify. */
function has(object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key) && object[key] !== undefined
}

const NOTHING = /* @__PURE__ */ new Uint8Array()
const COLON = /* @__PURE__ */ encodeText(":")
const COMMA = /* @__PURE__ */ encodeText(",")
const OPEN_OBJECT = /* @__PURE__ */ encodeText("{")
const CLOSE_OBJECT = /* @__PURE__ */ encodeText("}")
const OPEN_ARRAY = /* @__PURE__ */ encodeText("[")
const CLOSE_ARRAY = /* @__PURE__ */ encodeText("]")
