import { join } from "node:path"
import { SqlitePromptHistory } from "@treelog/history-sqlite"
import type { PromptHistory } from "@treelog/session-core"
import { absoluteFolder } from "./absolute-folder.js"
import type { CommandContext } from "./command-context.js"
import type { Sessions } from "./compose.js"

/** The options that every history command takes. */
export interface HistoryOptions {
  /** The database; default: `history.db` in the folder of the store. */
  readonly db?: string
}

/** The options of commands that fill the history. */
export interface KeepOptions extends HistoryOptions {
  /** Keep also what looks like it holds a secret. */
  readonly keepSecrets?: boolean
}

/** An absolute path. */
export function historyPath({ io }: CommandContext, { agentDir }: Sessions, { db }: HistoryOptions): string {
  return db === undefined ? join(agentDir, "history.db") : absoluteFolder(io, db)
}

/** Works with the prompt history, and closes it afterwards: with everything on disk. */
export function withHistory<Result>(
  context: CommandContext,
  sessions: Sessions,
  options: KeepOptions,
  work: (history: PromptHistory) => Promise<Result>,
): Promise<Result> {
  const worked = async (): Promise<Result> => {
    let setAside: string | undefined
    const history = new SqlitePromptHistory({
      path: historyPath(context, sessions, options),
      clock: context.io,
      ignore: options.keepSecrets ? { secrets: false } : {},
      onSetAside: (path) => {
        setAside = path
      },
    })
    try {
      return await work(history)
    } finally {
      await history.close()
      if (setAside !== undefined) await context.say(`The prompt history was damaged; it is kept as ${setAside}.`)
    }
  }
  return context.hold(worked())
}
