import { errnoOf, type FsPort } from "@treelog-internal/fs"
import type { Marks } from "./marks.js"
import { type BlobFile, blobFile } from "./scan-folder.js"
import type { Trash } from "./trash.js"

/** A file that may be removed, and those that are removed with it. */
export interface Candidate extends BlobFile {
  /** Undefined for what is not a blob. */
  readonly hash: string | undefined
  readonly sidecars: readonly BlobFile[]
}

/** What the batches of one sweep have in common. */
export interface Sweeping {
  readonly fs: FsPort
  readonly blobs: string
  readonly marks: Marks
  readonly trash: Trash
  /** What is as young as this stays. Milliseconds since 1970. */
  readonly cutoff: number
}

/**
 * Takes the files of a batch away, except those that were put again or that the marks name by now, and scans once more.
 * When anything fails, all of the batch goes back.
 * @returns what was taken away
 */
export async function sweepBatch(sweeping: Sweeping, batch: readonly Candidate[]): Promise<Candidate[]> {
  const { marks, trash } = sweeping
  const isNamed = ({ hash }: Candidate) => hash !== undefined && marks.has(hash)
  const started: Candidate[] = []
  try {
    const taken: Candidate[] = []
    for (const candidate of batch) {
      if (isNamed(candidate) || !(await isOld(sweeping, sweeping.blobs, candidate))) continue
      started.push(candidate)
      if (await take(sweeping, candidate)) taken.push(candidate)
    }
    await marks.mark()
    for (const candidate of taken.filter(isNamed)) await restoreCandidate(trash, candidate)
    await trash.sync()
    return taken.filter((candidate) => !isNamed(candidate))
  } catch (error) {
    await restoreAll(trash, started, error)
    throw error
  }
}

/** False when it is gone, too. */
async function isOld({ fs, cutoff }: Sweeping, folder: string, { name }: BlobFile): Promise<boolean> {
  const now = await blobFile(fs, folder, name)
  return now !== undefined && now.modified < cutoff
}

async function take(sweeping: Sweeping, candidate: Candidate): Promise<boolean> {
  const { trash } = sweeping
  const folder = await trash.take(candidate.name)
  if (folder === undefined) return false
  for (const sidecar of candidate.sidecars) await trash.take(sidecar.name)
  // Another process may have put it again between the stat of its time and the rename.
  if (await isOld(sweeping, folder, candidate)) return true
  await restoreCandidate(trash, candidate)
  return false
}

async function restoreCandidate(trash: Trash, candidate: Candidate): Promise<void> {
  for (const { name } of [candidate, ...candidate.sidecars]) await trash.restore(name)
}

async function restoreAll(trash: Trash, started: readonly Candidate[], error: unknown): Promise<void> {
  const failures: unknown[] = []
  for (const candidate of started) {
    await restoreCandidate(trash, candidate).catch((failure: unknown) => failures.push(failure))
  }
  if (failures.length === 0) return
  const message = "The sweep failed, and what it had taken away could not all be given back: undoSweep does."
  const code = [error, ...failures].map(errnoOf).find((errno) => errno !== undefined)
  throw Object.assign(new AggregateError([error, ...failures], message), { code })
}
