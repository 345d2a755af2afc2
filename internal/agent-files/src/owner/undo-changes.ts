import { dirname } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import {
  discard,
  type FileStat,
  type FsPort,
  fileChunks,
  lstatIfThere,
  syncFolder,
  withStorageErrors,
} from "@treelog-internal/fs"
import { sha256 } from "../digest.js"
import type { Columns } from "./change.js"
import { replacedStrings } from "./document-strings.js"
import { type LoadDriver, moveTo, rowValues, setRow, writeLike } from "./file-steps.js"
import {
  type Journal,
  type RewriteStep,
  type RowStep,
  removeJournal,
  type SessionStep,
  type Step,
  writeJournal,
} from "./journal.js"

// Each step is undone only where it is found done, so that an undo which was killed can be repeated.

/** What changes are made with. */
export interface ChangeOptions {
  readonly fs: FsPort
  /** The folder of the journals, which is treelog's own. An absolute path. */
  readonly journals: string
  readonly loadDriver: LoadDriver
}

/** Moves a session of a store that treelog writes to where it was. @returns why not, for people */
export type UndoSession = (step: SessionStep) => Promise<string | undefined>

/**
 * Undoes what a journal says, the last step first, also where only some of the steps were done. What an agent appended since stays behind the bytes
 * that were there before. Repeated, it goes on.
 * @returns what could not be undone, for people; then the journal stays, with the former bytes
 * @throws StorageError
 */
export async function undoChanges(
  options: ChangeOptions,
  journal: Journal,
  undoSession: UndoSession = async ({ store }) => `the sessions of ${store} were moved, too`,
): Promise<string[]> {
  const { fs, journals } = options
  const problems: string[] = []
  const steps = [...journal.steps]
  if (journal.state !== "staging")
    for (const [at, step] of [...journal.steps.entries()].reverse()) {
      const noted = async (moved: RowStep): Promise<void> => {
        steps[at] = moved
        await writeJournal(fs, journals, { ...journal, steps })
      }
      const problem =
        step.kind === "row" ? await undoRow(options, step, noted) : await undone(options, step, undoSession)
      if (problem !== undefined) problems.push(problem)
    }
  if (problems.length > 0) return problems
  for (const step of journal.steps)
    if (step.kind === "rewrite") for (const path of [step.staged, `${step.staged}.undo`]) discard(fs, path)
  await removeJournal(fs, journals, journal)
  return problems
}

async function undone(
  options: ChangeOptions,
  step: Exclude<Step, RowStep>,
  undoSession: UndoSession,
): Promise<string | undefined> {
  if (step.kind === "rewrite") return withStorageErrors(step.path, "write", () => undoRewrite(options.fs, step))
  if (step.kind === "move") return withStorageErrors(step.from, "write", () => undoMove(options.fs, step))
  return undoSession(step)
}

/**
 * What the agent has written since stays, but a number, such as a place in a file that has grown, moves back by what it was moved.
 * @param noted writes to the journal what a step with such a number is by now: moved back twice, it would be wrong
 */
async function undoRow(
  { loadDriver }: ChangeOptions,
  step: RowStep,
  noted: (now: RowStep) => Promise<void>,
): Promise<string | undefined> {
  const now = await rowValues(loadDriver, step)
  if (!now) return `the row of ${Object.values(step.id).join(", ")} in ${step.path} is gone`
  const next: Record<string, Columns[string]> = {}
  const others: string[] = []
  let isMoved = false
  for (const [name, value = null] of Object.entries(now)) {
    const [set, before = null] = [step.set[name], step.before[name]]
    if (value === set || value === before) next[name] = before
    else if (typeof value === "number" && typeof set === "number" && typeof before === "number") {
      next[name] = value - set + before
      isMoved = true
    } else {
      next[name] = value
      others.push(name)
    }
  }
  if (isMoved) await noted({ ...step, set: now, before: next })
  await setRow(loadDriver, step, now, next)
  return others.length === 0 ? undefined : `${others.join(", ")} of ${step.path} was changed since, and stays`
}

async function undoMove(fs: FsPort, { from, to }: { from: string; to: string }): Promise<string | undefined> {
  const [atFrom, atTo] = [await lstatIfThere(fs, from), await lstatIfThere(fs, to)]
  if (!atTo) return atFrom ? undefined : `${from} is gone, and so is ${to}`
  // A name that was only reserved, there by the move, and here by an undo that was killed.
  if (atFrom && isReserved(atTo)) await fs.unlink(to)
  else if (atFrom && !isReserved(atFrom)) return `${to} stays: there is a new ${from}`
  else {
    if (atFrom) await fs.unlink(from)
    await moveTo(fs, to, from)
  }
  return undefined
}

function isReserved(stat: FileStat): boolean {
  return stat.isFile() && stat.size === 0n
}

async function undoRewrite(fs: FsPort, step: RewriteStep): Promise<string | undefined> {
  const { path, staged, backup, digest, size } = step
  const [now, before] = [await lstatIfThere(fs, path), await lstatIfThere(fs, backup)]
  if (!now) return `${path} is gone; what it was is ${backup}`
  // Not done yet, so that the new bytes are still beside it, or undone before.
  if (await lstatIfThere(fs, staged)) return undefined
  if (!before) return `${backup} is gone`
  const isDone = await beginsWith(fs, path, size, digest)
  const isFormer = await beginsWith(fs, path, Number(before.size), await beginningOf(fs, backup, Number(before.size)))
  const { replaced } = step
  if (replaced && (!isDone || now.size > BigInt(size))) return undoReplaced(fs, step, now, replaced)
  if (!isDone && !isFormer) return `${path} was rewritten since; what it was is ${backup}`
  // Where the ones are the beginning of the others, both fit, and the longer are those that are there.
  if (isFormer && !(isDone && BigInt(size) > before.size)) return undefined
  async function* former(): AsyncGenerator<Uint8Array> {
    yield* fileChunks(fs, backup)
    yield* tailOf(fs, path, size)
  }
  await writeOver(fs, step, now.size === BigInt(size) ? before : now, former())
  return undefined
}

/** Replaces the strings back in what the agent has made of a document since. */
async function undoReplaced(
  fs: FsPort,
  step: RewriteStep,
  now: FileStat,
  { at, strings }: NonNullable<RewriteStep["replaced"]>,
): Promise<string | undefined> {
  const back = Object.fromEntries(Object.entries(strings).map(([before, after]) => [after, before]))
  try {
    await writeOver(fs, step, now, replacedStrings({ at, strings: back })(fs, step.path))
    return undefined
  } catch (error) {
    if (!isTreelogError(error, "InvalidSessionError")) throw error
    return `${step.path} is no JSON object any more; what it was is ${step.backup}`
  }
}

/** Writes other bytes in the place of a file, with a mode and a time. */
async function writeOver(
  fs: FsPort,
  { path, staged }: RewriteStep,
  like: FileStat,
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  // An undo that was killed has left it.
  const temporary = `${staged}.undo`
  if (await lstatIfThere(fs, temporary)) await fs.unlink(temporary)
  try {
    await writeLike(fs, temporary, like, bytes)
    await fs.rename(temporary, path)
  } finally {
    discard(fs, temporary)
  }
  await syncFolder(fs, dirname(path))
}

async function beginsWith(fs: FsPort, path: string, size: number, digest: string): Promise<boolean> {
  const stat = await lstatIfThere(fs, path)
  return stat !== undefined && stat.size >= BigInt(size) && (await beginningOf(fs, path, size)) === digest
}

async function beginningOf(fs: FsPort, path: string, size: number): Promise<string> {
  const hash = sha256()
  let left = size
  for await (const chunk of fileChunks(fs, path)) {
    hash.update(chunk.subarray(0, left))
    left -= chunk.length
    if (left <= 0) break
  }
  return hash.digest("hex")
}

/** What stands behind so many bytes. */
async function* tailOf(fs: FsPort, path: string, size: number): AsyncGenerator<Uint8Array> {
  let skipped = 0
  for await (const chunk of fileChunks(fs, path)) {
    const from = Math.min(chunk.length, Math.max(0, size - skipped))
    skipped += chunk.length
    if (from < chunk.length) yield chunk.subarray(from)
  }
}
