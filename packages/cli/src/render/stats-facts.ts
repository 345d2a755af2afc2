import type { SessionStats } from "../session-stats.js"
import type { Fact } from "./fact-lines.js"
import { plural } from "./plural.js"
import { sizeText } from "./size.js"

/** What was said. */
export function sessionFacts({ messages, entries }: SessionStats): Fact[] {
  return [
    ["messages", messages.toLocaleString("en-US")],
    ["entries", entries.toLocaleString("en-US")],
  ]
}

/** What it takes on the disk. */
export function diskFacts({ disk, blobs }: SessionStats): Fact[] {
  const missing = blobs.missing > 0 ? `; ${blobs.missing} missing in ${blobs.folder}` : ""
  return [
    ["session", sizeText(disk.session)],
    ["artifacts", sizeText(disk.artifacts)],
    ["blobs", `${sizeText(disk.blobs)} (${plural(blobs.count, "blob")}${missing})`],
    ["in all", sizeText(disk.session + disk.artifacts + disk.blobs)],
  ]
}
