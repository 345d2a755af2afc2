import type { FsPort } from "@treelog-internal/fs"
import type { Marks } from "./marks.js"
import { scanFolder } from "./scan-folder.js"
import type { Candidate } from "./sweep-batch.js"
import { type Tally, tallyOf } from "./tally.js"

export interface SweepPlan {
  /** What may go: old blobs that nothing names, and what writers that died left. */
  readonly candidates: readonly Candidate[]
  readonly kept: Tally
  readonly withinGrace: Tally
}

/** @param cutoff what is as young as this stays; milliseconds since 1970 */
export async function planSweep(fs: FsPort, blobs: string, marks: Marks, cutoff: number): Promise<SweepPlan> {
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
