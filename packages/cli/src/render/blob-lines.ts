import { join } from "node:path"
import type { BlobCheck } from "@treelog/blob-store"
import type { StoredBlob } from "@treelog/session-core"
import { agoOf, cleanLine, type Style, sizeText } from "@treelog-internal/text"
import { padded } from "./width.js"

const HASH = 64
const SIZE = 7

/** One blob in 80 columns: its whole hash is what it is called by. */
export function blobLine({ hash, size, modified }: StoredBlob, { style, now }: { style: Style; now: number }): string {
  return `${style.paint("cyan", hash)}  ${padded(sizeText(size), SIZE, "right")}  ${agoOf(now - modified).padStart(4)}`
}

export function blobTitles({ paint }: Style): string {
  return paint("dim", `${padded("HASH", HASH)}  ${padded("SIZE", SIZE, "right")}   AGE`)
}

export type BlobFault = Extract<BlobCheck, { state: "damaged" | "unreadable" }>

/** `path damaged why`. */
export function blobFaultLine(folder: string, fault: BlobFault, { paint }: Style): string {
  const why =
    fault.state === "damaged" ? `Its ${sizeText(fault.size)} have the hash ${fault.actual}.` : fault.error.message
  return `${cleanLine(join(folder, fault.hash))} ${paint("red", fault.state)} ${cleanLine(why)}`
}
