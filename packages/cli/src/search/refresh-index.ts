import type { IndexUpdateOptions, IndexUpdateReport, SessionIndex } from "@treelog/session-core/search"
import { numberText, plural, sizeText } from "@treelog-internal/text"
import { type CommandContext, Progress, settledWithin } from "../io/command-context.js"
import type { CommandLibrary } from "../sessions/open-library.js"

type IndexProgress = Parameters<NonNullable<IndexUpdateOptions["onProgress"]>>[0]

type Updated = Pick<SessionIndex, "update">

/**
 * Brings an index up to date, with progress on stderr.
 * @param only what is to be up to date; default: all
 * @throws IndexUnavailableError without SQLite, StorageError
 */
export async function refreshIndex(
  context: CommandContext,
  index: Updated,
  only?: IndexUpdateOptions["only"],
): Promise<IndexUpdateReport> {
  const { update, text } = startUpdate(context, index, context.io.interrupted, only)
  return new Progress(context).during(update, text)
}

interface RunningUpdate {
  readonly update: Promise<IndexUpdateReport>
  /** How far it is; undefined before the first session. */
  readonly progress: () => IndexProgress | undefined
  readonly text: () => string
}

/** Starts an update. The command does not end before it has stopped. */
export function startUpdate(
  context: CommandContext,
  index: Updated,
  signal: AbortSignal,
  only?: IndexUpdateOptions["only"],
): RunningUpdate {
  let progress: IndexProgress | undefined
  const onProgress = (now: IndexProgress): void => {
    progress = now
  }
  return {
    update: context.hold(index.update({ signal, onProgress, only })),
    progress: () => progress,
    text: () => progressText(progress),
  }
}

function progressText(progress: IndexProgress | undefined): string {
  if (!progress) return "Looking for new sessions"
  const { done, total, bytes } = progress
  return `Indexed ${numberText(done)} of ${plural(total, "session")}, ${sizeText(bytes)} read`
}

/** Warns once of the sessions that the indexes lack, because they cannot be read. */
export function warnOfUnread(context: CommandContext, failed: IndexUpdateReport["failed"]): void {
  const [first] = failed
  if (!first) return
  const sentence = `${plural(failed.length, "session")} cannot be read; \`treelog verify --all\` shows why.`
  context.warn({ code: first.code, data: { failed } }, sentence)
}

/** Milliseconds between two reports while an index is brought up to date. */
const REPORT_EVERY = 1000

/**
 * Brings indexes up to date while a picker is shown.
 * @param indexed is called as they grow, with how far they are; at the end with an empty text, and how many sessions cannot be read
 * @throws as `update`; nothing once the signal aborts
 */
export async function keepIndexing(
  context: CommandContext,
  library: CommandLibrary,
  signal: AbortSignal,
  indexed: (progress: string, unreadable: number) => void,
): Promise<void> {
  try {
    const { update, progress } = startUpdate(context, library, signal)
    while (!(await settledWithin(update, REPORT_EVERY))) indexed(shortProgressText(progress()), 0)
    indexed("", (await update).failed.length)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** It shares a line with other facts. */
function shortProgressText(progress: IndexProgress | undefined): string {
  return progress ? `indexed ${numberText(progress.done)}/${numberText(progress.total)}` : "looking for new sessions"
}
