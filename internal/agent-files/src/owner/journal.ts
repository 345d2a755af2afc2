import { basename, join } from "node:path"
import { entriesIn, FILE_MODE, type FsPort, makeDurableFolder, syncFolder, writeChunks } from "@treelog-internal/fs"
import { token } from "../digest.js"
import { parsedObject } from "../json.js"
import { textIfThere } from "../write/small-files.js"
import type { Columns, DocumentChange, RowChange } from "./change.js"

// A journal is a folder of treelog's own, with what undoes changes of other programs' files: `journal.json` names each step, and files beside it have
// the bytes that were there before. It is complete, and on the disk, before the first change: killed anywhere, the files are what they were, what
// they were to be, or the journal makes them again what they were.

/** What was done to a program's files, in order. */
export interface Journal {
  /** As its folder is named: of two, the later is greater. */
  readonly id: string
  /** The command, for people: `relocate --from /a --to /b`. */
  readonly what: string
  /** `staging`: nothing was changed yet. `ready`: some of the steps may have been done. */
  readonly state: "staging" | "ready" | "done"
  readonly steps: readonly Step[]
}

export type Step =
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  | RewriteStep
  | RowStep
  | SessionStep

export interface RowStep extends RowChange {
  readonly before: Columns
}

/** A session of a store that treelog writes, which moved to another key. */
export interface SessionStep {
  readonly kind: "session"
  /** As `--store` takes it. */
  readonly store: string
  readonly key: string
  readonly to: string
  /** Its folder before. */
  readonly from: string
  readonly cwd: string
}

export interface RewriteStep {
  readonly kind: "rewrite"
  readonly path: string
  /** The new bytes, beside the file, until they take its place. */
  readonly staged: string
  /** In the folder of the journal: the bytes that were there before. */
  readonly backup: string
  /** Of the new bytes. Empty while they are written. */
  readonly digest: string
  readonly size: number
  /** What was replaced in a JSON document, which an agent writes anew each time. */
  readonly replaced?: Pick<DocumentChange, "at" | "strings">
}

/** The id of a new journal. @param now milliseconds since 1970 */
export function journalId(now: number): string {
  return `${startOfId(now)}-${token()}`
}

function startOfId(time: number): string {
  return new Date(time).toISOString().replaceAll(":", "-")
}

/** Writes a journal, in one step. @throws StorageError */
export async function writeJournal(fs: FsPort, folder: string, journal: Journal): Promise<void> {
  const own = join(folder, journal.id)
  await makeDurableFolder(fs, own)
  const [path, temporary] = [join(own, "journal.json"), join(own, "journal.tmp")]
  const file = fs.openSync(temporary, "w", FILE_MODE)
  try {
    await writeChunks(file, [new TextEncoder().encode(JSON.stringify(journal))])
    await file.sync()
  } finally {
    file.closeSync()
  }
  await fs.rename(temporary, path)
  await syncFolder(fs, own)
}

/** The journals in a folder, the oldest first. @throws StorageError */
export async function journalsIn(fs: FsPort, folder: string): Promise<Journal[]> {
  const found: Journal[] = []
  for (const { name } of await entriesIn(fs, folder)) {
    const text = await textIfThere(fs, join(folder, name, "journal.json"))
    const journal = text === undefined ? undefined : parsedObject(text)
    if (journal) found.push(journal as unknown as Journal)
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** How long what was done can be undone. Milliseconds. */
const KEPT = 30 * 24 * 60 * 60 * 1000

/** Removes the journals that are older than 30 days, but for those of changes that were interrupted. @throws StorageError */
export async function removeOldJournals(fs: FsPort, folder: string, now: number): Promise<void> {
  for (const journal of await journalsIn(fs, folder))
    if (journal.state === "done" && journal.id < startOfId(now - KEPT)) await removeJournal(fs, folder, journal)
}

/** Removes a journal, with the bytes that it keeps. @throws StorageError */
export async function removeJournal(fs: FsPort, folder: string, { id }: Journal): Promise<void> {
  await fs.rm(join(folder, basename(id)), { recursive: true, force: true })
}
