import { createHash } from "node:crypto"
import type { SessionEntry } from "@treelog/session-core"

export const NOTICE = "[Session persistence truncated large content]"
export const LIMIT = 500_000

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex")
}

/** What stands for an image: its bytes' hash. */
export function refOf(base64: string): string {
  return `blob:sha256:${sha256(Buffer.from(base64, "base64"))}`
}

/** Canonical base64 of so many bytes; each seed gives other bytes. */
export function base64Of(bytes: number, seed = 0): string {
  return Buffer.from(
    Uint8Array.from({ length: bytes }, (_, index) => (index * 31 + seed * 7 + (index >> 8)) & 255),
  ).toString("base64")
}

export function image(data: string): { type: "image"; data: string; mimeType: string } {
  return { type: "image", data, mimeType: "image/png" }
}

/** What a cut text ends with, when the whole of it is in a store. */
export function endingFor(whole: string, lineCount?: number): string {
  const count = lineCount === undefined ? "" : `[line count: ${lineCount}]\n`
  return `\n\n${count}[full content: blob:sha256:${sha256(whole)}]\n${NOTICE}`
}

/** A custom entry that holds the data. */
export function custom(data: unknown): SessionEntry {
  const head = { type: "custom", id: "00000001", parentId: null, timestamp: "2026-03-07T14:00:00.000Z" }
  return { ...head, customType: "test", data } as SessionEntry
}

/** What a custom entry holds. */
export function dataOf(entry: SessionEntry): unknown {
  return (entry as unknown as { data: unknown }).data
}
