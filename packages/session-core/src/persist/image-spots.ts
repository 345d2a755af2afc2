import { isJsonObject } from "../entry/json-object.js"
import { hashInRef } from "../ports/blob-ref.js"
import type { Spot } from "./spots.js"

/** How an image is written at a spot: as base64, or as a whole data URL. */
export type ImageForm = "base64" | "data-url"

const DATA_URL = /^data:image\/[^,]*;base64,/i

/**
 * Whether an image is kept at a spot (FORMAT.md, section 7): the `data` of an image block, wherever it stands; the `data` of an
 * element of `images` with an image's mime type; and a string `image_url`.
 */
export function imageFormAt({ holder, key, value, up }: Spot): ImageForm | undefined {
  if (typeof value !== "string" || !isJsonObject(holder)) return undefined
  if (key === "image_url") return "data-url"
  if (key !== "data") return undefined
  if (holder.type === "image") return "base64"
  const isListed = up !== undefined && Array.isArray(up.holder) && up.up?.key === "images"
  return isListed && typeof holder.mimeType === "string" && holder.mimeType.startsWith("image/") ? "base64" : undefined
}

/** Whether an image stands at a spot, or the reference to one. */
export function holdsImage(spot: Spot): boolean {
  const form = imageFormAt(spot)
  const text = String(spot.value)
  return form === "base64" || (form === "data-url" && (isImageDataUrl(text) || hashInRef(text) !== undefined))
}

export function isImageDataUrl(text: string): boolean {
  return DATA_URL.test(text)
}
