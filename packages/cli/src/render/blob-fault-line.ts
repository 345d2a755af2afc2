import { join } from "node:path"
import type { BlobCheck } from "@treelog/blob-store"
import { cleanLine } from "./clean-text.js"
import { sizeText } from "./size.js"
import type { Style } from "./style.js"

export type BlobFault = Extract<BlobCheck, { state: "damaged" | "unreadable" }>

/** `path damaged why`. */
export function blobFaultLine(folder: string, fault: BlobFault, { paint }: Style): string {
  const why =
    fault.state === "damaged" ? `Its ${sizeText(fault.size)} have the hash ${fault.actual}.` : fault.error.message
  return `${cleanLine(join(folder, fault.hash))} ${paint("red", fault.state)} ${cleanLine(why)}`
}
