import type { IndexProgress, IndexUpdateReport, SessionIndex } from "@treelog/session-core/search"
import { numberText, plural, sizeText } from "@treelog-internal/text"
import type { CommandContext } from "../io/command-context.js"
import { Progress } from "../io/progress.js"

type Updated = Pick<SessionIndex, "update">

/** Brings an index up to date, with progress on stderr. @throws IndexUnavailableError without SQLite, StorageError */
export async function refreshIndex(context: CommandContext, index: Updated): Promise<IndexUpdateReport> {
  const { update, text } = startUpdate(context, index, context.io.interrupted)
  return new Progress(context).during(update, text)
}

/** An update that runs. */
interface RunningUpdate {
  readonly update: Promise<IndexUpdateReport>
  /** How far it is; undefined before the first session. */
  readonly progress: () => IndexProgress | undefined
  readonly text: () => string
}

/** Starts an update. The command does not end before it has stopped. */
export function startUpdate(context: CommandContext, index: Updated, signal: AbortSignal): RunningUpdate {
  let progress: IndexProgress | undefined
  const onProgress = (now: IndexProgress): void => {
    progress = now
  }
  return {
    update: context.hold(index.update({ signal, onProgress })),
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
