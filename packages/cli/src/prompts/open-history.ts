import { statSync } from "node:fs"
import { join } from "node:path"
import {
  type Prompt,
  type PromptScope,
  SqlitePromptHistory,
  type SqlitePromptHistoryOptions,
} from "@treelog/history-sqlite"
import { ownFolder } from "@treelog/stores"
import { absoluteFolder } from "@treelog-internal/fs"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { chosenStore } from "../sessions/chosen-store.js"
import { listed, meantStores } from "../sessions/program-stores.js"

/** The options of every history command. */
export interface HistoryOptions {
  /** The database; default: `history.db` in the folder of the store. */
  readonly db?: string
}

/** Where a history of prompts is, or would be. */
interface HistoryPlace {
  /** Whose it is, as `--store` takes it; undefined for the one that new prompts go to. */
  readonly program: string | undefined
  /** An absolute path. */
  readonly path: string
}

/** A history that is open for reading. */
export interface StoreHistory extends HistoryPlace {
  readonly history: SqlitePromptHistory
}

/** A prompt; with whose history has it, where several were read. */
export type StoredPrompt = Prompt & { readonly store?: string }

/** Where new prompts go: an absolute path. Those of a database of sessions, and of an agent, are in treelog's own folder. */
export function historyPath(context: CommandContext, { db }: HistoryOptions): string {
  if (db !== undefined) return absoluteFolder(context.io, db)
  const { name } = chosenStore(context)
  return join(name.kind === "files" ? name.agentDir : ownFolder(context.io, "treelog"), "history.db")
}

/** Where prompts of the stores that are meant may be: each place once. */
async function historyPlaces(context: CommandContext, options: HistoryOptions): Promise<HistoryPlace[]> {
  const places = new Map<string, HistoryPlace>()
  for (const { program, context: own } of [...(await meantStores(context)), { program: undefined, context }]) {
    const path = historyPath(own, options)
    if (!places.has(path)) places.set(path, { program, path })
  }
  return [...places.values()]
}

/** The histories that there are, open for reading until the command ends. Neither creates nor changes them. */
export async function openHistories(context: CommandContext, options: HistoryOptions): Promise<StoreHistory[]> {
  const places = await historyPlaces(context, options)
  return places
    .filter(({ path }) => !isMissing(path))
    .map((place) => {
      const history = new SqlitePromptHistory({ path: place.path, access: "read" })
      context.resources.onEnd(() => history.close())
      return { ...place, history }
    })
}

/** The newest prompts that have every word of the query, newest first; for an empty one, the newest. */
export async function searchHistories(
  histories: readonly StoreHistory[],
  query: string,
  { limit, scope }: { readonly limit: number; readonly scope: PromptScope },
): Promise<StoredPrompt[]> {
  const found: StoredPrompt[] = []
  for (const one of histories)
    for (const prompt of await one.history.search(query, { scope, limit }))
      found.push(ofHistory(prompt, one, histories))
  return found.sort((a, b) => b.createdAt - a.createdAt).slice(0, limit)
}

/** A prompt of one of several histories. */
export function ofHistory(
  prompt: Prompt,
  { program = "treelog" }: HistoryPlace,
  histories: readonly HistoryPlace[],
): StoredPrompt {
  return histories.length > 1 ? { ...prompt, store: program } : prompt
}

/** Changes a prompt history, and closes it afterwards: with everything on disk. */
export function changeHistory<Result>(
  context: CommandContext,
  path: string,
  ignore: SqlitePromptHistoryOptions["ignore"],
  work: (history: SqlitePromptHistory) => Promise<Result>,
): Promise<Result> {
  const worked = async (): Promise<Result> => {
    let quarantine: string | undefined
    const history = new SqlitePromptHistory({
      path,
      clock: context.io,
      ignore,
      onQuarantine: (damaged) => {
        quarantine = damaged
      },
    })
    try {
      return await work(history)
    } finally {
      await history.close()
      if (quarantine !== undefined)
        await context.log(`The prompt history was damaged; a copy is kept in ${quarantine}.`)
    }
  }
  return context.hold(worked())
}

/** Says on stderr that there is no history, and where they were looked for. */
export async function noHistory(context: CommandContext, options: HistoryOptions): Promise<ExitCode> {
  const paths = (await historyPlaces(context, options)).map(({ path }) => path)
  const message = `0 prompts examined: there is no ${listed(paths)}; \`treelog history import\` creates a history.`
  context.warn({ code: "NothingExamined", data: { histories: paths } }, message)
  return EXIT.nothing
}

/** A history in a folder that cannot be read is not missing: opening it reports why. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return false
    throw error
  }
}
