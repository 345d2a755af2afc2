import { isJsonObject } from "../entry/json-object.js"
import { hashInRef } from "../ports/blob-ref.js"
import { imageFormAt, isImageDataUrl } from "./image-spots.js"
import { SEALED, SIGNATURES, type Spot } from "./spots.js"

/** Base64 of this length is not a token. Characters. */
const LONG = 256
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** A string within an entry, with its place. */
export type TextPlace = Spot

/**
 * Whether a string within an entry is data that must not be changed: a signature, encrypted data, the base64 of an image, or a
 * reference to a blob (FORMAT.md, section 7).
 */
export function isOpaque(place: TextPlace): boolean {
  const { value } = place
  if (typeof value !== "string") return false
  if (hashInRef(value) !== undefined || isSealed(place)) return true
  const form = imageFormAt(place)
  if (form === "base64") return value.length >= LONG && BASE64.test(value)
  return form === "data-url" && isImageDataUrl(value) && BASE64.test(value.slice(value.indexOf(",") + 1))
}

/** Cache by place: it is asked for each string, and walking up each time would be quadratic in the depth. */
const sealedPlaces = /* @__PURE__ */ new WeakMap<TextPlace, boolean>()

function isSealed(place: TextPlace): boolean {
  const unknown: TextPlace[] = []
  let at: TextPlace | undefined = place
  for (; at && !sealedPlaces.has(at); at = at.up) unknown.push(at)
  let isInside = at !== undefined && sealedPlaces.get(at) === true
  for (const one of unknown.reverse()) {
    isInside ||= seals(one)
    sealedPlaces.set(one, isInside)
  }
  return isInside
}

/** Whether this key makes everything below it opaque. */
function seals({ holder, key }: TextPlace): boolean {
  if (SEALED.has(key) || SIGNATURES.some((name) => name === key)) return true
  return isJsonObject(holder) && holder.type === "redactedThinking" && key !== "type"
}
