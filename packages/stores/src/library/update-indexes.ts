import { isTreelogError } from "@treelog/session-core"
import type { IndexProgress, IndexUpdateOptions, IndexUpdateReport } from "@treelog/session-core/search"
import type { OnSourceError, Source } from "./source.js"

/** Brings the indexes of all sources up to date: at the same time, so that the newest sessions of each can be found first. */
export async function updateIndexes<From extends Source>(
  sources: readonly From[],
  { signal, onProgress = () => {} }: IndexUpdateOptions,
  onError: OnSourceError<From>,
): Promise<IndexUpdateReport> {
  const reached: IndexProgress[] = sources.map(() => NOTHING_YET)
  const updates = sources.map(async ({ index }, at) =>
    (await index()).update({
      signal,
      onProgress: (progress) => {
        reached[at] = progress
        onProgress(sumOf(reached))
      },
    }),
  )
  const reports: IndexUpdateReport[] = []
  for (const [at, outcome] of (await Promise.allSettled(updates)).entries()) {
    if (outcome.status === "fulfilled") reports.push(outcome.value)
    else if (sources.length > 1 && isTreelogError(outcome.reason, "StorageError"))
      onError(sources[at] as From, outcome.reason)
    else throw outcome.reason
  }
  return {
    ...sumOf(reports),
    read: total(reports, "read"),
    removed: total(reports, "removed"),
    failed: reports.flatMap(({ failed }) => failed),
    foreign: reports.flatMap(({ foreign }) => foreign),
  }
}

const NOTHING_YET: IndexProgress = { done: 0, total: 0, bytes: 0, upToDateAfter: Number.MAX_SAFE_INTEGER }

function sumOf(all: readonly IndexProgress[]): IndexProgress {
  return {
    done: total(all, "done"),
    total: total(all, "total"),
    bytes: total(all, "bytes"),
    upToDateAfter: Math.max(0, ...all.map(({ upToDateAfter }) => upToDateAfter)),
  }
}

function total<Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return all.reduce((sum, one) => sum + one[name], 0)
}
