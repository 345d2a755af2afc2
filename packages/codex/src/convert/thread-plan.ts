import type { HistoryBase, RolloutHead } from "../rollout/rollout-head.js"

/** A rollout among others, of which only the head was read. */
export interface RolloutFile {
  /** Unique among them. */
  readonly name: string
  readonly threadId: string
  /** The id under which others name it as their base: of its revision, otherwise of its thread. */
  readonly generation: string
  /** Sorts the files of a thread. */
  readonly time: string
  readonly head: RolloutHead
}

/** The lines of one file that a thread consists of, and where they go on. */
export interface ThreadStep {
  readonly file: RolloutFile
  /** The thread that the first item belongs to, where nothing comes before it. */
  readonly origin: string
  /** The place in an earlier step. */
  readonly start: { readonly file: string; readonly offset: number } | undefined
  /** Where other steps go on from. Bytes, ascending. */
  readonly cuts: readonly number[]
  /** Where the lines end; undefined for the whole file. Bytes. */
  readonly end: number | undefined
  /** Whether the file is one of another thread, from which this one was forked. */
  readonly isForeign: boolean
  /** The thread whose lines the file may begin with a copy of. */
  readonly copyOf: string | undefined
  /** How many items were copied, if that is known. */
  readonly copiedItems?: number | undefined
  /** The id of a base that was not found. */
  readonly missingBase: string | undefined
}

/** Finds a rollout by the id of its generation. */
export type FindRollout = (generation: string) => RolloutFile | undefined

/**
 * The steps of a thread: its files by time, each after its bases, so that the newest is the last one.
 * @param files those of the thread
 * @param find any rollout, for bases in other threads
 */
export function planThread(files: readonly RolloutFile[], find: FindRollout): ThreadStep[] {
  const own = new Set(files.map(({ name }) => name))
  const cuts = new Map<string, Set<number>>()
  const order: RolloutFile[] = []
  const seen = new Set<string>()
  for (const file of [...files].sort(byTime)) {
    const chain: RolloutFile[] = []
    let next: RolloutFile | undefined = file
    while (next && !seen.has(next.name)) {
      const at: RolloutFile = next
      seen.add(at.name)
      chain.push(at)
      const { base } = at.head
      const from = base && find(base.id)
      next = from && from.name !== at.name ? from : undefined
      if (base && next) cuts.set(next.name, (cuts.get(next.name) ?? new Set()).add(base.end))
    }
    order.push(...chain.reverse())
  }
  const done = new Set<string>()
  return order.map((file): ThreadStep => {
    const { base, forkedFrom, parentThread } = file.head
    const from = base && find(base.id)
    // A base that is planned later would be a cycle of files that name each other.
    const start = base && from && done.has(from.name) ? { file: from.name, offset: base.end } : undefined
    done.add(file.name)
    const places = [...(cuts.get(file.name) ?? [])].sort((a, b) => a - b)
    const isForeign = !own.has(file.name)
    return {
      file,
      origin: (base ? undefined : forkedFrom) ?? file.threadId,
      start,
      cuts: places,
      end: isForeign ? places.at(-1) : undefined,
      isForeign,
      copyOf: base ? undefined : (forkedFrom ?? parentThread),
      missingBase: missingBase(base, start),
    }
  })
}

function missingBase(base: HistoryBase | undefined, start: unknown): string | undefined {
  return base && !start ? base.id : undefined
}

function byTime(a: RolloutFile, b: RolloutFile): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1
  return a.generation < b.generation ? -1 : a.generation > b.generation ? 1 : 0
}
