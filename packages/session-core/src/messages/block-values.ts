import type { FoundDocument } from "../entry/document.js"
import { isJsonObject, type JsonObject } from "../entry/values.js"
import { hashInRef } from "../ports/blob-store.js"

/** Whether the value is a text with more than white space: providers reject texts that are only white space. */
export function isFilled(text: unknown): text is string {
  return typeof text === "string" && text.trim() !== ""
}

/** A lone surrogate: UTF-8 cannot encode it, and providers reject requests that contain it. */
const LONE = /\p{Surrogate}/u
const EVERY_LONE = /\p{Surrogate}/gu

export function isWellFormed(text: string): boolean {
  return !LONE.test(text)
}

/** The text with each lone surrogate replaced by U+FFFD; the same text when there is none. */
export function wellFormed(text: string): string {
  return LONE.test(text) ? text.replace(EVERY_LONE, "\ufffd") : text
}

/** `wellFormed` for all keys and texts inside a JSON value; the value itself when nothing changes. */
export function wellFormedValue(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value)
  if (Array.isArray(value)) {
    const items = value.map(wellFormedValue)
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isJsonObject(value)) return value
  const members = Object.entries(value)
  const formed = members.map(([key, member]) => [wellFormed(key), wellFormedValue(member)] as const)
  const isSame = formed.every(([key, member], at) => key === members[at]?.[0] && member === members[at]?.[1])
  return isSame ? value : Object.fromEntries(formed)
}

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

/** What images of each format begin with, in base64. */
const BEGINNINGS: readonly (readonly [RegExp, ImageType])[] = [
  [/^iVBORw0KGgo/, "image/png"],
  [/^\/9j\//, "image/jpeg"],
  [/^R0lGOD/, "image/gif"],
  [/^UklG.{8}RUJQ/, "image/webp"],
]

/**
 * The image as providers read it: Anthropic rejects one that is named as another format than its bytes have, and a data URL or lines in the place of
 * base64. A reason where no provider reads it.
 */
export function readableImage({ data, mimeType }: JsonObject): ReadableImage | string {
  if (typeof data !== "string" || data === "") return "it has no data"
  if (hashInRef(data) !== undefined) return `${data} was not restored`
  const base64 = plainBase64(data)
  if (base64.length % 4 !== 0 || !BASE64.test(base64)) return "its data is not base64"
  const found = BEGINNINGS.find(([beginning]) => beginning.test(base64))?.[1]
  const type = found ?? (mimeType === "image/jpg" ? "image/jpeg" : mimeType)
  return isImageType(type) ? { type: "image", data: base64, mimeType: type } : "models do not read its format"
}

function isImageType(type: unknown): type is ImageType {
  return TYPES.has(type)
}

/** Without the beginning of a data URL, and without line breaks. */
function plainBase64(data: string): string {
  const plain = data.replace(/^data:[^,]{0,100};base64,/, "")
  return BASE64.test(plain) ? plain : plain.replace(/[\r\n]+/g, "")
}

/** The text that replaces an image that no model can read. */
export function imageNote(reason: string): string {
  return `[Image left out: ${reason}.]`
}

/** The text that replaces a document that no model can read. */
export function documentNote(reason: string): string {
  return `[Document left out: ${reason}.]`
}

/** Why providers cannot read the document; undefined when they can. */
export function whyNoDocument({ text, data, url }: FoundDocument): string | undefined {
  if (text !== undefined || url !== undefined) return undefined
  if (data === undefined) return "it has no data"
  if (hashInRef(data) !== undefined) return `${data} was not restored`
  return BASE64.test(data) ? undefined : "its data is not base64"
}

/** The changed items, without those that `change` returns undefined for; the list itself if none differs. */
export function changedItems<Item>(items: readonly Item[], change: (item: Item) => Item | undefined): readonly Item[] {
  const changed = items.map(change)
  return changed.every((item, index) => item === items[index]) ? items : changed.filter((item) => item !== undefined)
}
