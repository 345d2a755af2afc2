import { cleanLine, numberText, plural, sizeText, timeOf } from "@treelog-internal/text"
import type { DiskUse } from "../stats/disk-tally.js"
import type { Stats } from "../stats/session-stats.js"
import type { Fact } from "./fact-lines.js"
import { costText } from "./model-table.js"

/** What was said, when, and at what cost. */
export function messageFacts({ messages, roles, entries, total, readFiles, modifiedFiles, from, to }: Stats): Fact[] {
  const byRole = Object.entries(roles).map(([role, count]) => `${cleanLine(role)} ${numberText(count)}`)
  const facts: Fact[] = [
    ["messages", messages === 0 ? "0" : `${numberText(messages)} (${byRole.join(", ")})`],
    ["entries", numberText(entries)],
  ]
  if (from !== undefined && to !== undefined) facts.push(["time", `${timeOf(from)} to ${timeOf(to)}`])
  if (total.calls > 0) facts.push(["tokens", `${numberText(total.totalTokens)} in ${plural(total.calls, "call")}`])
  if (total.cost > 0) facts.push(["cost", costText(total.cost)])
  if (readFiles.length + modifiedFiles.length > 0)
    facts.push(["files", `${numberText(modifiedFiles.length)} modified, ${numberText(readFiles.length)} only read`])
  return facts
}

/** What it takes on the disk. */
export function diskFacts({ disk, blobs }: DiskUse): Fact[] {
  const missing = blobs.missing > 0 ? `; ${numberText(blobs.missing)} missing in ${blobs.folders.join(", ")}` : ""
  return [
    ["session", sizeText(disk.session)],
    ["artifacts", sizeText(disk.artifacts)],
    ["blobs", `${sizeText(disk.blobs)} (${plural(blobs.count, "blob")}${missing})`],
    ["total", sizeText(disk.session + disk.artifacts + disk.blobs)],
  ]
}
