import type { Checkpoint, Conversion } from "@treelog-internal/agent-files"
import { type FsPort, isStat, statMany } from "@treelog-internal/fs"
import { itemId } from "../convert/item-id.js"
import { type ReadPart, type ThreadCheckpoint, threadRecords } from "../convert/thread-records.js"
import type { Thread } from "./codex-home.js"
import { hasOnlyGrown, rolloutReader } from "./read-rollout.js"
import { type HeadedRollout, noHead, versionOf } from "./rollout-heads.js"

/** What a conversion has to know to go on, as plain JSON. */
interface ThreadState extends Pick<ThreadCheckpoint, "saved"> {
  /** Digest of all that the conversion depends on beside the lines of the newest file. */
  readonly plan: string
  /** What was read of the newest file. */
  readonly read: ReadPart
}

/**
 * Converts a thread, whose files are read as its entries are asked for. It goes on where the newest file has only grown, and all else is as
 * it was.
 * @throws InvalidSessionError, SessionNotFoundError, SessionChangedError, StorageError
 */
export async function convertThread(fs: FsPort, thread: Thread, from?: Checkpoint): Promise<Conversion> {
  const { files, steps, title } = thread
  const newest = steps.at(-1)?.file ?? files[0]
  if (!files.some(({ hasHead }) => hasHead)) throw noHead(files[0])
  const plan = await digestOfPlan(fs, thread)
  const state = from?.state as ThreadState | undefined
  const goesOn = from && state?.plan === plan && hasOnlyGrown(fs, newest.name, state.read)
  const before = goesOn ? { entries: from.entries, saved: state.saved, read: state.read } : undefined
  const names = steps.flatMap(({ file, copyOf = file.name }) => [file.name, copyOf])
  let read: ReadPart | undefined
  const onRead = (part: ReadPart): void => {
    read = part
  }
  const records = threadRecords(files[0], title, steps, await rolloutReader(fs, names, { onRead }), before)
  return {
    header: records.header,
    entries: records.entries,
    goesOn: goesOn === true,
    get checkpoint() {
      const { checkpoint } = records
      if (!checkpoint || newest.isCompressed) return undefined
      return { entries: checkpoint.entries, state: () => ({ plan, read, saved: checkpoint.saved }) }
    },
    get report() {
      return records.report
    },
  }
}

async function digestOfPlan(fs: FsPort, { steps, title }: Thread): Promise<string> {
  const planned = steps.map(({ file, ...step }, at) => {
    const { size, modified, ...lasting } = file as HeadedRollout
    return { ...step, file: at === steps.length - 1 ? lasting : file }
  })
  const originals = await statMany(
    fs,
    steps.flatMap(({ copyOf }) => copyOf ?? []),
  )
  return itemId("", [title, planned, originals.map((stat) => (isStat(stat) ? versionOf(stat) : null))])
}
