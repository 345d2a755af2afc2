import type { FsPort } from "./fs-port.js"
import type { Marks } from "./marks.js"
import { takeStock } from "./stock.js"
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
  const stock = await takeStock(fs, blobs)
  const unnamed = stock.blobs.filter(({ name }) => !marks.has(name))
  const old = unnamed.filter(({ modified }) => modified < cutoff)
  const abandoned = stock.temporary.filter(({ modified }) => modified < cutoff)
  return {
    candidates: [
      ...old.map((blob) => ({ ...blob, hash: blob.name, sidecars: stock.sidecars.get(blob.name) ?? [] })),
      ...abandoned.map((file) => ({ ...file, hash: undefined, sidecars: [] })),
    ],
    kept: tallyOf(stock.blobs.filter(({ name }) => marks.has(name))),
    withinGrace: tallyOf(unnamed.filter(({ modified }) => modified >= cutoff)),
  }
}
