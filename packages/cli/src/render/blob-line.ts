import type { StoredBlob } from "@treelog/session-core"
import { sizeText } from "./size.js"
import type { Style } from "./style.js"
import { agoOf } from "./time.js"
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
