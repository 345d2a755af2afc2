import { dirname } from "node:path"
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
import { type LoadDriver, moveTo, rowHas, setRow, writeLike } from "./file-steps.js"
import { type Journal, type RewriteStep, removeJournal, type SessionStep, type Step } from "./journal.js"

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
  if (journal.state !== "staging")
    for (const step of [...journal.steps].reverse()) {
      const problem = await undone(options, step, undoSession)
      if (problem !== undefined) problems.push(problem)
    }
  if (problems.length > 0) return problems
  for (const step of journal.steps)
    if (step.kind === "rewrite") for (const path of [step.staged, `${step.staged}.undo`]) discard(fs, path)
  await removeJournal(fs, journals, journal)
  return problems
}

async function undone(options: ChangeOptions, step: Step, undoSession: UndoSession): Promise<string | undefined> {
  if (step.kind === "rewrite") return withStorageErrors(step.path, "write", () => undoRewrite(options.fs, step))
  if (step.kind === "move") return withStorageErrors(step.from, "write", () => undoMove(options.fs, step))
  if (step.kind === "row") {
    if (await rowHas(options.loadDriver, step, step.set)) await setRow(options.loadDriver, step, step.set, step.before)
    else if (!(await rowHas(options.loadDriver, step, step.before))) return `${step.path} has other values by now`
    return undefined
  }
  return undoSession(step)
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
  if (await beginsWith(fs, path, Number(before.size), await beginningOf(fs, backup, Number(before.size))))
    return undefined
  if (!(await beginsWith(fs, path, size, digest))) return `${path} was rewritten since; what it was is ${backup}`
  // An undo that was killed has left it.
  const temporary = `${staged}.undo`
  if (await lstatIfThere(fs, temporary)) await fs.unlink(temporary)
  async function* former(): AsyncGenerator<Uint8Array> {
    yield* fileChunks(fs, backup)
    yield* tailOf(fs, path, size)
  }
  try {
    await writeLike(fs, temporary, now.size === BigInt(size) ? before : now, former())
    await fs.rename(temporary, path)
  } finally {
    discard(fs, temporary)
  }
  await syncFolder(fs, dirname(path))
  return undefined
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
