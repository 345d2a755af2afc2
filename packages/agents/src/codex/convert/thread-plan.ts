import { rootOf } from "@treelog-internal/agent-files"
import type { RolloutHead } from "../rollout/rollout-head.js"
import type { RolloutName } from "../rollout/rollout-name.js"

/** A rollout among others. */
export interface NamedRollout extends RolloutName {
  /** Unique among them, such as its path. */
  readonly name: string
}

/** A rollout of which only the head was read. */
export interface RolloutFile extends NamedRollout {
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
  /** The name of the file whose lines this one may begin with a copy of. */
  readonly copyOf: string | undefined
  /** The id of a base that was not found. */
  readonly missingBase: string | undefined
}

/**
 * The steps of a thread: its files, each after its bases, so that the newest is the last one.
 * @param files those of the thread, by time
 * @param heads rollouts by their generations, for bases in other threads
 * @param all all rollouts
 */
export function planThread(
  files: readonly RolloutFile[],
  heads: ReadonlyMap<string, RolloutFile>,
  all: ReadonlyMap<string, NamedRollout> = heads,
): ThreadStep[] {
  const own = new Set(files.map(({ name }) => name))
  const cuts = new Map<string, Set<number>>()
  const order: RolloutFile[] = []
  const seen = new Set<string>()
  for (const file of files) {
    const chain: RolloutFile[] = []
    for (let at: RolloutFile | undefined = file; at && !seen.has(at.name); ) {
      seen.add(at.name)
      chain.push(at)
      const { base } = at.head
      const from: RolloutFile | undefined = heads.get(base?.id ?? "")
      at = from?.name === at.name ? undefined : from
      if (base && at) cuts.set(at.name, (cuts.get(at.name) ?? new Set()).add(base.end))
    }
    order.push(...chain.reverse())
  }
  const done = new Set<string>()
  return order.map((file): ThreadStep => {
    const { base, forkedFrom, parentThread } = file.head
    const from = heads.get(base?.id ?? "")
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
      copyOf: base ? undefined : all.get(forkedFrom ?? parentThread ?? "")?.name,
      missingBase: start ? undefined : base?.id,
    }
  })
}

/** The files of a thread, by time. */
export type Files<File extends RolloutFile> = readonly [File, ...File[]]

/** The threads that rollouts belong to, by their ids. */
export function threadsOf<File extends RolloutFile>(rollouts: Iterable<File>): Map<string, Files<File>> {
  const threads = new Map<string, [File, ...File[]]>()
  for (const file of rollouts) {
    const files = threads.get(file.threadId)
    if (files) files.push(file)
    else threads.set(file.threadId, [file])
  }
  for (const files of threads.values()) files.sort((a, b) => (a.time + a.generation < b.time + b.generation ? -1 : 1))
  return threads
}

/** The thread that each works for, through those that started it: itself where no thread did, or that one is gone. */
export function rootsOf(threads: ReadonlyMap<string, readonly RolloutFile[]>): Map<string, string> {
  const parentOf = (files: readonly RolloutFile[]) => files.find(({ head }) => head.parentThread)?.head.parentThread
  const parents = new Map([...threads].map(([id, files]) => [id, parentOf(files)]))
  return new Map([...threads.keys()].map((id) => [id, rootOf(id, parents)]))
}
