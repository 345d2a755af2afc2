import { statSync } from "node:fs"
import { join } from "node:path"
import { SqlitePromptHistory, type SqlitePromptHistoryOptions } from "@treelog/history-sqlite"
import type { PromptHistory } from "@treelog/session-core/prompt-history"
import { absoluteFolder } from "@treelog-internal/fs"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "../sessions/command-sessions.js"

/** The options of every history command. */
export interface HistoryOptions {
  /** The database; default: `history.db` in the folder of the store. */
  readonly db?: string
}

type Work<Result> = (history: PromptHistory) => Promise<Result>

/** An absolute path. */
export function historyPath({ io }: CommandContext, { historyDir }: Sessions, { db }: HistoryOptions): string {
  return db === undefined ? join(historyDir, "history.db") : absoluteFolder(io, db)
}

/** Opens the prompt history for reading. Neither creates nor changes it. */
export function readHistory<Result>(
  context: CommandContext,
  sessions: Sessions,
  options: HistoryOptions,
  work: Work<Result>,
): Promise<Result> {
  const history = new SqlitePromptHistory({ path: historyPath(context, sessions, options), access: "read" })
  return context.hold(closedAfterwards(history, work))
}

/** Changes the prompt history, and closes it afterwards: with everything on disk. */
export function changeHistory<Result>(
  context: CommandContext,
  sessions: Sessions,
  { ignore, ...options }: HistoryOptions & Pick<SqlitePromptHistoryOptions, "ignore">,
  work: Work<Result>,
): Promise<Result> {
  const worked = async (): Promise<Result> => {
    let quarantine: string | undefined
    const history = new SqlitePromptHistory({
      path: historyPath(context, sessions, options),
      clock: context.io,
      ignore,
      onQuarantine: (path) => {
        quarantine = path
      },
    })
    try {
      return await closedAfterwards(history, work)
    } finally {
      if (quarantine !== undefined)
        await context.log(`The prompt history was damaged; a copy is kept in ${quarantine}.`)
    }
  }
  return context.hold(worked())
}

/** The message for a missing history; undefined when the file exists. */
export function missingHistory(
  context: CommandContext,
  sessions: Sessions,
  options: HistoryOptions,
): string | undefined {
  const path = historyPath(context, sessions, options)
  // A folder that cannot be read is no missing history: opening it reports why.
  return isMissing(path) ? `There is no ${path} yet; \`treelog history import\` creates it.` : undefined
}

function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return false
    throw error
  }
}

async function closedAfterwards<Result>(history: PromptHistory, work: Work<Result>): Promise<Result> {
  try {
    return await work(history)
  } finally {
    await history.close()
  }
}
