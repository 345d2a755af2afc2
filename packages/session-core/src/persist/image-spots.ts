import { isJsonObject } from "../entry/json-object.js"
import { hashInRef } from "../ports/blob-ref.js"
import type { Spot } from "./spots.js"

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
