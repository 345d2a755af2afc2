import { isJsonObject } from "../entry/values.js"
import { hashInRef } from "../ports/blob-store.js"

/** A position inside an entry, linked to the positions above it. */
export interface Spot {
  readonly holder: object
  readonly key: string | number
  readonly value: unknown
  /** The spot of `holder`; undefined if that is the top. */
  readonly up: Spot | undefined
}

/** Fields with signatures or encrypted data. Neither they nor the object that contains one may be changed. */
const SIGNATURES = ["thinkingSignature", "textSignature", "thoughtSignature"] as const
const SEALED: ReadonlySet<unknown> = new Set(["redactedThinking", "encrypted_content"])

/**
 * Iterates over every value inside `top`, at any depth, without recursion. `sealed` is true inside signed or encrypted data.
 * @param isClosed whether to skip the values inside a value
 */
export function* spotsIn(
  top: object,
  isClosed: (spot: Spot) => boolean = () => false,
): Generator<{ spot: Spot; sealed: boolean }> {
  const open: { holder: object; up: Spot | undefined; sealed: boolean }[] = [
    { holder: top, up: undefined, sealed: false },
  ]
  for (let next = open.pop(); next; next = open.pop()) {
    const { holder, up } = next
    const isInside = next.sealed || isSigned(holder)
    for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      const value = (holder as Record<string | number, unknown>)[key]
      const spot = { holder, key, value, up }
      const sealed = isInside || SEALED.has(key)
      yield { spot, sealed }
      if (typeof value === "object" && value !== null && !isClosed(spot)) open.push({ holder: value, up: spot, sealed })
    }
  }
}

function isSigned(holder: object): boolean {
  if (!isJsonObject(holder)) return false
  return holder.type === "redactedThinking" || SIGNATURES.some((name) => Boolean(holder[name]))
}

/** How an image is stored at a spot: as base64, or as a data URL. */
export type ImageForm = "base64" | "data-url"

const DATA_URL = /^data:image\/[^,]*;base64,/i

/**
 * The form of the image at a spot, if images are stored there (FORMAT.md, section 7): the `data` of an image block at any depth; the
 * `data` of an element of `images` with an image's mime type; and a string `image_url`. Undefined for any other spot.
 */
export function imageFormAt({ holder, key, value, up }: Spot): ImageForm | undefined {
  if (typeof value !== "string" || !isJsonObject(holder)) return undefined
  if (key === "image_url") return "data-url"
  if (key !== "data") return undefined
  if (holder.type === "image") return "base64"
  const isListed = up !== undefined && Array.isArray(up.holder) && up.up?.key === "images"
  return isListed && typeof holder.mimeType === "string" && holder.mimeType.startsWith("image/") ? "base64" : undefined
}

/** Whether a spot contains an image or a reference to one. */
export function holdsImage(spot: Spot): boolean {
  const form = imageFormAt(spot)
  const text = String(spot.value)
  return form === "base64" || (form === "data-url" && (isImageDataUrl(text) || hashInRef(text) !== undefined))
}

export function isImageDataUrl(text: string): boolean {
  return DATA_URL.test(text)
}

/** Makes a changed copy of a value. Unchanged parts are shared with the original, which is not modified. */
export class Draft {
  readonly #top: object
  /** Keyed by the spot of the original, since one object can be at several places; undefined for the top. */
  readonly #copies = new Map<Spot | undefined, object>()

  constructor(top: object) {
    this.#top = top
  }

  /** Sets the value at a spot of the original, or at another key beside it; undefined removes the field. */
  set(spot: Spot, value: unknown, key = spot.key): void {
    const missing: Spot[] = []
    for (let at: Spot | undefined = spot; at && !this.#copies.has(at.up); at = at.up) missing.push(at)
    for (const { holder, up } of missing.reverse()) {
      const copy = Array.isArray(holder) ? [...holder] : { ...holder }
      this.#copies.set(up, copy)
      if (up) setOwn(this.#copies.get(up.up) as object, up.key, copy)
    }
    setOwn(this.#copies.get(spot.up) as object, key, value)
  }

  /** The changed copy, or the original itself when nothing changed. */
  result<Top extends object>(): Top {
    return (this.#copies.get(undefined) ?? this.#top) as Top
  }
}

/** Plain assignment would call the setter of `__proto__`; a stored key of that name is data. */
function setOwn(holder: object, key: string | number, value: unknown): void {
  if (value === undefined) delete (holder as Record<string | number, unknown>)[key]
  else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

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

/** Cache by place: it is needed for each string, and walking up each time would be quadratic in the depth. */
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
