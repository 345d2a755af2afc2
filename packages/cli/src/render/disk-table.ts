import type { Style } from "@treelog-internal/text"
import { numberText, plural, sizeText } from "@treelog-internal/text"
import type { ProjectDisk, StoreDisk } from "../stats/store-disk.js"
import type { Fact } from "./fact-lines.js"
import { folderName } from "./folder-name.js"
import { tableLines } from "./table.js"

/** What each project takes, the largest first. */
export function projectTable(
  projects: readonly ProjectDisk[],
  { style, home }: { style: Style; home: string | undefined },
): string[] {
  if (projects.length === 0) return []
  return tableLines<ProjectDisk>(
    [
      { title: "SIZE", cell: ({ session, artifacts }) => sizeText(session + artifacts), align: "right" },
      { title: "SESSIONS", cell: ({ sessions }) => numberText(sessions), align: "right" },
      { title: "ARTIFACTS", cell: ({ artifacts }) => sizeText(artifacts), align: "right", omit: 1 },
      { title: "FOLDER", cell: ({ cwd }) => (cwd === "" ? "(cannot be read)" : folderName(cwd, home)) },
    ],
    projects,
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
