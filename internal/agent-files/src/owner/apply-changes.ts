import { dirname, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { sessionChanged } from "@treelog/session-core/adapter"
import {
  type FileStat,
  type FsPort,
  fileChunks,
  isErrno,
  isSameFile,
  isWithoutLinks,
  lstatIfThere,
  syncFolder,
  withStorageErrors,
} from "@treelog-internal/fs"
import { sha256, token } from "../digest.js"
import type { Change, Edit } from "./change.js"
import { replacedStrings } from "./document-strings.js"
import { type LoadDriver, moveTo, rowValues, setRow, taken, writeLike } from "./file-steps.js"
import { type Journal, journalId, type RewriteStep, type Step, writeJournal } from "./journal.js"
import { type ChangeOptions, undoChanges } from "./undo-changes.js"

/**
 * Changes an agent's files, all of them or none: where one fails, those before it are undone. Killed anywhere, `undoChanges` undoes them.
 * @param what the command, for people
 * @returns the journal, which undoes the changes
 * @throws SessionChangedError, SessionExistsError, StorageError
 */
export async function applyChanges(
  { fs, journals, loadDriver }: ChangeOptions,
  what: string,
  changes: readonly Change[],
  now = Date.now(),
): Promise<Journal> {
  const id = journalId(now)
  const own = join(journals, id)
  const planned = await Promise.all(changes.map((change, at) => stepOf(fs, change, join(own, String(at)), loadDriver)))
  await writeJournal(fs, journals, { id, what, state: "staging", steps: planned })
  const options = { fs, journals, loadDriver }
  let journal: Journal = { id, what, state: "staging", steps: planned }
  try {
    const stats = new Map<Step, FileStat>()
    const steps: Step[] = []
    for (const [at, step] of planned.entries()) {
      const change = changes[at]
      const edit = change && editOf(change)
      const staged = step.kind === "rewrite" && edit ? await stage(fs, step, edit) : undefined
      steps.push(staged?.step ?? step)
      if (staged) stats.set(staged.step, staged.stat)
    }
    journal = { id, what, state: "ready", steps }
    await writeJournal(fs, journals, journal)
    for (const step of steps)
      await withStorageErrors(placeOf(step), "write", () => carryOut(fs, step, stats.get(step), loadDriver))
    journal = { ...journal, state: "done" }
    await writeJournal(fs, journals, journal)
    return journal
  } catch (error) {
    const problems = await undoChanges(options, journal)
    if (problems.length === 0) throw error
    const message = `${(error as Error).message} What was changed before is undone but for this: ${problems.join("; ")}.`
    throw new TreelogError(
      "StorageError",
      message,
      { key: own, operation: "write", errno: undefined },
      { cause: error },
    )
  }
}

function placeOf(step: Step): string {
  return step.kind === "move" ? step.to : step.kind === "session" ? step.key : step.path
}

/** What a change is in the journal, before anything was written. */
async function stepOf(fs: FsPort, change: Change, backup: string, loadDriver: LoadDriver): Promise<Step> {
  if (change.kind === "move") return requireFree(fs, change)
  if (change.kind === "row") {
    const before = await rowValues(loadDriver, change)
    if (!before) throw sessionChanged(change.path, "gone")
    return { ...change, before }
  }
  const path = await withStorageErrors(change.path, "read", () => fs.realpath(change.path))
  const staged = join(dirname(path), `.treelog-${token()}.tmp`)
  const replaced = change.kind === "document" && { replaced: { at: change.at, strings: change.strings } }
  return { kind: "rewrite", path, staged, backup, digest: "", size: 0, ...replaced }
}

function editOf(change: Change): Edit | undefined {
  if (change.kind === "document") return replacedStrings(change)
  return change.kind === "rewrite" ? change.edit : undefined
}

/** What it moves to is taken when it is planned or never: where both are there later, undoing it knows that it was not done. */
async function requireFree<Move extends { readonly to: string }>(fs: FsPort, move: Move): Promise<Move> {
  if (await withStorageErrors(move.to, "read", () => lstatIfThere(fs, move.to))) throw taken(move.to)
  return move
}

/** Writes the new bytes beside a file, with its mode and time, and keeps the old ones. */
function stage(fs: FsPort, step: RewriteStep, edit: Edit): Promise<{ step: RewriteStep; stat: FileStat }> {
  const { path, staged, backup } = step
  return withStorageErrors(path, "write", async () => {
    const stat = await fs.stat(path, { bigint: true })
    const hash = sha256()
    let size = 0
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const chunk of edit(fs, path)) {
        hash.update(chunk)
        size += chunk.length
        yield chunk
      }
    }
    await writeLike(fs, staged, stat, counted())
    await keep(fs, path, backup, stat)
    return { step: { ...step, digest: hash.digest("hex"), size }, stat }
  })
}

/** Keeps the bytes of a file under another name: as a second name where that can be, else as a copy. */
async function keep(fs: FsPort, path: string, backup: string, stat: FileStat): Promise<void> {
  try {
    fs.linkSync(path, backup)
  } catch (error) {
    if (!isWithoutLinks(error) && !isErrno(error, "EXDEV")) throw error
    await writeLike(fs, backup, stat, fileChunks(fs, path))
  }
  await syncFolder(fs, dirname(backup))
}

async function carryOut(fs: FsPort, step: Step, stat: FileStat | undefined, loadDriver: LoadDriver): Promise<void> {
  if (step.kind === "rewrite") {
    const now = await lstatIfThere(fs, step.path)
    if (!stat || !now) throw sessionChanged(step.path, "gone")
    if (!isSameFile(stat, now)) throw sessionChanged(step.path, "replaced")
    if (now.size !== stat.size || now.mtimeNs !== stat.mtimeNs) throw sessionChanged(step.path, "grown")
    await fs.rename(step.staged, step.path)
    await syncFolder(fs, dirname(step.path))
  } else if (step.kind === "move") await moveTo(fs, step.from, step.to)
  else if (step.kind === "row") await setRow(loadDriver, step, step.before, step.set)
}
