import {
  cleanLine,
  costText,
  folderLine,
  numberText,
  plural,
  type Style,
  sizeText,
  timeOf,
  tokensText,
} from "@treelog-internal/text"
import { type Column, type Fact, type Look, tableLines } from "../../render/table.js"
import type { DiskUse } from "../../sessions/disk-use.js"
import type { Stats } from "./session-stats.js"
import type { ProjectDisk, StoreDisk, StoresDisk } from "./store-disk.js"
import type { CostRow } from "./usage-document.js"
import { partName, usageColumns } from "./usage-table.js"

/** Messages, times, tokens and costs. */
export function messageFacts(stats: Stats): Fact[] {
  const { messages, roles, entries, usage, readFiles, modifiedFiles, unknownTools, from, to } = stats
  const { total, parts } = usage
  const byRole = Object.entries(roles).map(([role, count]) => `${cleanLine(role)} ${numberText(count)}`)
  const facts: Fact[] = [
    ["messages", messages === 0 ? "0" : `${numberText(messages)} (${byRole.join(", ")})`],
    ["entries", numberText(entries)],
  ]
  if (from !== undefined && to !== undefined) facts.push(["time", `${timeOf(from)} to ${timeOf(to)}`])
  if (total.totals.calls > 0) {
    const { totalTokens, calls } = total.totals
    facts.push(["tokens", `${tokensText(totalTokens)} in ${plural(calls, "call")}`], ["cost", costText(total.cost)])
  }
  for (const part of parts)
    facts.push([partName(part), `${tokensText(part.totals.totalTokens)} tokens, ${costText(part.cost)}`])
  if (readFiles.length + modifiedFiles.length + unknownTools.length > 0) {
    const cannotTell = unknownTools.length > 0 ? `; cannot tell of ${unknownTools.map(cleanLine).join(", ")}` : ""
    const known = `${numberText(modifiedFiles.length)} modified, ${numberText(readFiles.length)} only read`
    facts.push(["files", `${known}${cannotTell}`])
  }
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

/** What each project takes, the largest first. */
export function projectTable(projects: readonly ProjectDisk[], { style, home }: Look): string[] {
  if (projects.length === 0) return []
  return tableLines<ProjectDisk>(
    [
      { title: "SIZE", cell: ({ session, artifacts }) => sizeText(session + artifacts), align: "right" },
      { title: "SESSIONS", cell: ({ sessions }) => numberText(sessions), align: "right" },
      { title: "ARTIFACTS", cell: ({ artifacts }) => sizeText(artifacts), align: "right", omit: 1 },
      { title: "FOLDER", cell: ({ cwd }) => (cwd === "" ? "(cannot be read)" : folderLine(cwd, home)) },
    ],
    projects,
    style,
  )
}

/** What each store takes, in the order given. */
export function storeTable(stores: NonNullable<StoresDisk["stores"]>, style: Style): string[] {
  return tableLines(
    [
      { title: "SIZE", cell: ({ total }) => sizeText(total), align: "right" },
      { title: "SESSIONS", cell: ({ sessions }) => numberText(sessions.count), align: "right" },
      { title: "AGENT", cell: ({ store }) => cleanLine(store) },
    ],
    stores,
    style,
  )
}

/** What a store takes, by what it is for. */
export function storeDiskFacts(disk: StoreDisk): Fact[] {
  const { sessions, artifacts, beside, trash, blobs, besideBlobs, history, total } = disk
  return [
    ["sessions", `${sizeText(sessions.bytes)} (${plural(sessions.count, "session")})`],
    ["artifacts", sizeText(artifacts)],
    ["beside them", `${sizeText(beside)} (backups and other files)`],
    ["trash", `${sizeText(trash.bytes)} (${plural(trash.count, "session")})`],
    ["blobs", `${sizeText(blobs.bytes)} (${plural(blobs.count, "blob")})`],
    ["beside blobs", `${sizeText(besideBlobs)} (trash of blobs and other files)`],
    ["history", sizeText(history)],
    ["total", sizeText(total)],
  ]
}

const MAX_NAME = 40

/** Tokens and cost of each model; nothing where no usage was reported. */
export function modelTable(rows: readonly CostRow[], style: Style): string[] {
  return rows.length === 0 ? [] : tableLines(COLUMNS, rows, style)
}

const COLUMNS: readonly Column<CostRow>[] = [
  { title: "model", cell: ({ key }) => cleanLine(key), most: MAX_NAME, least: 12 },
  ...usageColumns<CostRow>(),
]

/** The files of a conversation, a line each, under what was done with them: what was read and modified, too, was modified. */
export function* fileLines(
  files: Pick<Stats, "readFiles" | "modifiedFiles" | "unknownTools">,
  { paint }: Style,
): Generator<string> {
  const { readFiles, modifiedFiles, unknownTools } = files
  for (const [title, files] of [
    ["modified", modifiedFiles],
    ["only read", readFiles],
    ["cannot tell: calls of", unknownTools],
  ] as const) {
    if (files.length === 0) continue
    yield ""
    yield paint("dim", title)
    for (const file of files) yield `  ${cleanLine(file)}`
  }
}
