import { join, resolve } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { systemClock } from "@treelog/session-core/adapter"
import { type FsPort, nodeFs, statIfThere, syncFolder, withStorageErrors } from "@treelog-internal/fs"
import { hashInName, kindOfName } from "./blob-names.js"
import { Marks } from "./marks.js"
import { type BlobFile, blobFile, scanFolder } from "./scan-folder.js"
import { identityOf } from "./stored-stat.js"
import { type Candidate, type Sweeping, sweepBatch } from "./sweep-batch.js"
import type { SweepOptions, SweepReport } from "./sweep-options.js"
import { type Tally, tallyOf } from "./tally.js"
import { namesInTrash, removeIfThere, removeTrash, restore, Trash, trashFolders } from "./trash.js"

// Crash argument. A sweep must never take a blob that some line names or is about to name, and may be killed, or fail,
// at any call.
//
// What names a blob is found by looking at the bytes of every file, not by understanding them: a reference counts in a
// sub-agent's transcript, a backup and a torn line as well. JSON is written by all known writers with these characters
// as they are. Where anything cannot be read, nothing is known, and nothing is taken.
//
// What is about to be named was put, or put again, a moment ago: its time says so, and `graceMs` protects it. A put
// that comes between our stat and the rename is seen at the time of what we took, which then goes back. A
// line that appears in between is seen by the scan that follows each batch, and its blob goes back. So a writer and a
// sweep need no lock.
//
// Nothing is deleted that this sweep took away: blobs are renamed into the trash, whole, on the same disk. Killed at
// any point, each blob is under its name or in the trash, and `undoSweep` gives all of it back. The next sweep empties
// the trash, and before that gives back what is named, or was put again, by then: also what a killed sweep would have
// given back itself.
//
// What no order of calls can close: a sweep that is killed between taking a blob which was put again in that very moment
// and giving it back leaves it in the trash, whole, where readers do not read, until the next sweep or `undoSweep`.
//
// A sidecar goes after its blob and comes back with it. A kill in between leaves a sidecar alone, which then stays.

const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 1000
const NOTHING: Tally = { count: 0, bytes: 0 }

/**
 * Takes away the blobs that no file names (FORMAT.md, section 7). `undoSweep` gives them back until the next sweep. A
 * dry run, unless `apply` is set.
 * @throws StorageError when a root, or anything in it, cannot be read; InvalidSessionError when a session cannot be
 * parsed, which `found` explains; InvalidArgumentError for roots without a single file. In these cases nothing was
 * taken away.
 */
export async function sweep(options: SweepOptions): Promise<SweepReport> {
  const blobs = resolve(options.blobs)
  return withStorageErrors(blobs, "sweep", () => sweepFolder(blobs, options))
}

async function sweepFolder(blobs: string, options: SweepOptions): Promise<SweepReport> {
  const { fs = nodeFs, clock = systemClock, graceMs = DAY_MS, allowUnparsable = false, signal, onProgress } = options
  if (!(graceMs >= 0)) throw invalidSweepOption("graceMs", graceMs, "is a number of milliseconds, from 0 on")
  const roots = options.roots.map((root) => resolve(root))
  await refuseAsRoot(fs, blobs, roots)
  const files = (options.files ?? []).map((file) => resolve(file))
  const onFile = (done: Tally) => onProgress?.({ phase: "mark", done: { ...done } })
  const marks = new Marks({ fs, blobs, roots, files, allowUnparsable, onFile })
  const start = clock.now()
  const cutoff = start - graceMs
  const scanned = await marks.mark(signal)
  const plan = await planSweep(fs, blobs, marks, cutoff)
  if (scanned.count === 0 && plan.candidates.length > 0)
    throw invalidSweepOption("roots", options.roots, "hold no file at all, which is how a disk that is away looks")
  const { kept, withinGrace } = plan
  const common = { scanned, kept, withinGrace, unparsable: marks.unparsable }
  if (!options.apply) {
    const none = { emptied: NOTHING, restored: NOTHING, trash: undefined }
    return { applied: false, ...common, ...taken(plan.candidates), ...none }
  }
  const trash = new Trash(fs, blobs, start)
  return { applied: true, ...common, ...(await carryOut({ fs, blobs, marks, trash, cutoff }, plan, options)) }
}

async function carryOut(sweeping: Sweeping, { candidates }: SweepPlan, { signal, onProgress }: SweepOptions) {
  const { fs, blobs, marks, trash, cutoff } = sweeping
  await marks.mark(signal)
  const earlier = await emptyTrash(fs, blobs, ({ name, modified }) => marks.has(name) || modified >= cutoff)
  const swept: Candidate[] = []
  for (let from = 0; from < candidates.length; from += BATCH) {
    await marks.mark(signal)
    swept.push(...(await sweepBatch(sweeping, candidates.slice(from, from + BATCH))))
    onProgress?.({ phase: "sweep", done: tallyOf(candidates.slice(0, from + BATCH)) })
  }
  return { ...taken(swept), ...earlier, trash: await trash.close() }
}

function taken(candidates: readonly Candidate[]): Pick<SweepReport, "swept" | "temporary"> {
  const blobs = candidates.filter(({ hash }) => hash !== undefined)
  const { bytes } = tallyOf(blobs.flatMap((blob) => [blob, ...blob.sidecars]))
  const swept = { count: blobs.length, bytes, hashes: blobs.map(({ name }) => name) }
  return { swept, temporary: tallyOf(candidates.filter(({ hash }) => hash === undefined)) }
}

/** In the folder of the blobs nothing names a blob, so that all of them would go. */
async function refuseAsRoot(fs: FsPort, blobs: string, roots: readonly string[]): Promise<void> {
  const own = await statIfThere(fs, blobs)
  for (const root of roots) {
    const stat = own && (await statIfThere(fs, root))
    if (own && stat && identityOf(stat) === identityOf(own))
      throw invalidSweepOption("roots", root, "are the folders of the sessions, not that of the blobs")
  }
}

function invalidSweepOption(argument: string, value: unknown, claim: string): TreelogError<"InvalidArgumentError"> {
  return new TreelogError("InvalidArgumentError", `${argument} ${claim}.`, { argument, value })
}

interface SweepPlan {
  /** What may go: old blobs that nothing names, and what writers that died left. */
  readonly candidates: readonly Candidate[]
  readonly kept: Tally
  readonly withinGrace: Tally
}

/** @param cutoff what is as young as this stays; milliseconds since 1970 */
async function planSweep(fs: FsPort, blobs: string, marks: Marks, cutoff: number): Promise<SweepPlan> {
  const contents = await scanFolder(fs, blobs)
  const unnamed = contents.blobs.filter(({ name }) => !marks.has(name))
  const old = unnamed.filter(({ modified }) => modified < cutoff)
  const abandoned = contents.temporary.filter(({ modified }) => modified < cutoff)
  return {
    candidates: [
      ...old.map((blob) => ({ ...blob, hash: blob.name, sidecars: contents.sidecars.get(blob.name) ?? [] })),
      ...abandoned.map((file) => ({ ...file, hash: undefined, sidecars: [] })),
    ],
    kept: tallyOf(contents.blobs.filter(({ name }) => marks.has(name))),
    withinGrace: tallyOf(unnamed.filter(({ modified }) => modified >= cutoff)),
  }
}

/**
 * Empties what earlier sweeps left. A blob that has to be kept after all goes back, with its sidecars: a file that
 * names it may have come back, or the sweep that took it away may have died before it looked once more.
 */
async function emptyTrash(
  fs: FsPort,
  blobs: string,
  keeps: (blob: BlobFile) => boolean,
): Promise<{ emptied: Tally; restored: Tally }> {
  const [emptied, restored]: [BlobFile[], BlobFile[]] = [[], []]
  for (const folder of await trashFolders(fs, blobs)) {
    const files = await filesIn(fs, folder)
    const kept = new Set(
      files.filter((file) => kindOfName(file.name) === "blob" && keeps(file)).map(({ name }) => name),
    )
    for (const file of files) {
      const isKept = kept.has(hashInName(file.name))
      if (isKept) await restore(fs, join(folder, file.name), join(blobs, file.name))
      else await removeIfThere(fs, join(folder, file.name))
      if (kindOfName(file.name) === "blob") (isKept ? restored : emptied).push(file)
    }
    if (kept.size > 0) await syncFolder(fs, blobs)
    await removeTrash(fs, folder)
  }
  return { emptied: tallyOf(emptied), restored: tallyOf(restored) }
}

async function filesIn(fs: FsPort, folder: string): Promise<BlobFile[]> {
  const files: BlobFile[] = []
  for (const name of await namesInTrash(fs, folder)) {
    const file = await blobFile(fs, folder, name)
    if (file !== undefined) files.push(file)
  }
  return files
}
