import type { IndexProgress, SessionIndex } from "@treelog/session-core/search"
import { JointIndex } from "@treelog/stores"
import { numberText } from "@treelog-internal/text"
import type { CommandContext } from "../io/command-context.js"
import { settledWithin } from "../io/progress.js"
import { startUpdate } from "./refresh-index.js"

/** Milliseconds between two reports while an index is brought up to date. */
const REPORT_EVERY = 1000

/**
 * Brings indexes up to date while a picker is shown.
 * @param indexed is called as they grow, with how far they are; at the end with an empty text, and how many sessions cannot be read
 * @throws as `update`; nothing once the signal aborts
 */
export async function keepIndexing(
  context: CommandContext,
  indexes: readonly SessionIndex[],
  signal: AbortSignal,
  indexed: (progress: string, unreadable: number) => void,
): Promise<void> {
  try {
    const { update, progress } = startUpdate(context, new JointIndex(indexes), signal)
    while (!(await settledWithin(update, REPORT_EVERY))) indexed(progressText(progress()), 0)
    indexed("", (await update).failed.length)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Short: it shares a line with other facts. */
function progressText(progress: IndexProgress | undefined): string {
  return progress ? `indexed ${numberText(progress.done)}/${numberText(progress.total)}` : "looking for new sessions"
}
