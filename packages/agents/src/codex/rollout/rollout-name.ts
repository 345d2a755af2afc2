/** What the name of a rollout says: `rollout-<time>-<thread>[_<revision>].jsonl`, or the same with `.zst`. */
export interface RolloutName {
  readonly threadId: string
  /** The id under which other files name this one as their base: of the revert that began it, otherwise of its thread. */
  readonly generation: string
  /** As in the name, such as `2026-11-22T14-49-54`: in the zone of the machine, so only good to sort by. */
  readonly time: string
  readonly isCompressed: boolean
}

const NAME = /^rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-([0-9A-Za-z-]+)(?:_([0-9A-Za-z-]+))?\.jsonl(\.zst)?$/

/** Reads the last part of a path. Undefined for names of other files, temporary ones included. */
export function rolloutName(path: string): RolloutName | undefined {
  const [, time, threadId, revision, zst] = NAME.exec(path.slice(path.lastIndexOf("/") + 1)) ?? []
  if (time === undefined || threadId === undefined) return undefined
  return { threadId, generation: revision ?? threadId, time, isCompressed: zst !== undefined }
}

/**
 * The files of a folder, each once: of several of one thread or revert, that with the latest time in its name counts, as for Codex, then the plain one,
 * and then the first.
 */
export function eachOnce<File extends RolloutName>(files: readonly File[]): File[] {
  const found = new Map<string, File>()
  for (const file of files) {
    const known = found.get(file.generation)
    const isPlain = known?.isCompressed === true && !file.isCompressed
    if (!known || file.time > known.time || (file.time === known.time && isPlain)) found.set(file.generation, file)
  }
  return [...found.values()]
}
