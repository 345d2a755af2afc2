import type { JsonObject } from "../../entry/json-object.js"
import { hashInRef } from "../../ports/blob-ref.js"

/** The formats that every provider accepts for at least some models. */
export type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp"

const TYPES: ReadonlySet<unknown> = new Set<ImageType>(["image/jpeg", "image/png", "image/gif", "image/webp"])
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** An image that a provider can read. */
export interface ReadableImage {
  type: "image"
  data: string
  mimeType: ImageType
}

export function isReadableImage(block: JsonObject): block is JsonObject & ReadableImage {
  return whyUnreadable(block) === undefined
}

/** The text that replaces an image that no model can read. */
export function imageNote(reason: string): string {
  return `[Image left out: ${reason}.]`
}

/** Why providers cannot read the image; undefined when they can. */
export function whyUnreadable({ data, mimeType }: JsonObject): string | undefined {
  if (typeof data !== "string" || data === "") return "it has no data"
  if (hashInRef(data) !== undefined) return `${data} was not restored`
  if (data.length % 4 !== 0 || !BASE64.test(data)) return "its data is not base64"
  return TYPES.has(mimeType) ? undefined : "models do not read its format"
}
