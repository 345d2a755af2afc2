import { isJsonObject } from "../../entry/json-object.js"

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

/** The same for all keys and texts inside a JSON value; the same value when there is none. */
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
