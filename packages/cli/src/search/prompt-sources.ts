import { statSync } from "node:fs"
import { dirname, join } from "node:path"
import {
  claudePrompt,
  codexPrompt,
  type ImportedPrompt,
  isInPromptScope,
  type PromptScope,
  promptsOfFile,
  repositoryScope,
  SqlitePromptHistory,
} from "@treelog/history-sqlite"
import { isTreelogError, TreelogError } from "@treelog/session-core"
import { containsTerms, foldText, plainTerms } from "@treelog/session-core/search"
import { ownFolder, placeOf, type StoreName } from "@treelog/stores"
import { absoluteFolder, sessionsByVariables, textIfThere, toStorageError } from "@treelog-internal/fs"
import { plural } from "@treelog-internal/text"
import type { CommandContext } from "../io/command-context.js"
import { isWithin, type Times } from "../sessions/time-options.js"
import { chosenStore, isStoreNamed, type MeantStore, meantStores } from "../store/chosen-store.js"
import { cwdIn } from "../store/scope.js"

/** A prompt; with whose it is, where several programs keep some. */
export type FoundPrompt = ImportedPrompt & { readonly store?: string }

export interface PromptQuery {
  /** Words, which all have to occur; none finds every prompt. */
  readonly text: string
  readonly scope: PromptScope
  readonly times?: Times
  readonly limit: number
}

/** The prompts that a program keeps apart from its sessions. Neither creates nor changes them. */
export interface PromptSource {
  /** Whose they are, as `--store` takes it. */
  readonly store: string
  /** A database or a file. An absolute path. */
  readonly path: string
  /** Those that fit: each text once, the newest first. @param onSkipped gets how many lines of a file are no prompt */
  readonly find: (query: PromptQuery, onSkipped: (lines: number) => void) => Promise<readonly ImportedPrompt[]>
}

/** Agents that keep prompts beside their sessions. */
const AGENTS_WITH_PROMPTS = ["claude-code", "codex"] as const

/** The code of lines that are no prompt. */
export const SKIPPED = "SkippedLines"

/** Gets a sentence about what could not be read of a source, and its code: that of an error, or `SKIPPED`. */
type OnUnread = (sentence: string, what: { readonly code: string; readonly data: unknown }) => void

/** Opens what the programs of the stores that are meant keep of prompts, until the command ends. */
export async function openPromptSources(context: CommandContext): Promise<PromptSource[]> {
  const sources = new Map<string, PromptSource>()
  for (const { program, options } of await promptStores(context)) {
    const { name } = chosenStore({ io: context.io, options })
    const isAgent = name.kind === "agent"
    const path = isAgent ? promptFile(context, name.agent) : databasePath(context, name)
    if (path === undefined || sources.has(path) || isMissing(path)) continue
    const store = program ?? (isAgent ? name.agent : "treelog")
    const find: PromptSource["find"] = isAgent
      ? (...asked) => findInFile(path, ...asked)
      : findInDatabase(context, path)
    sources.set(path, { store, path, find })
  }
  return [...sources.values()]
}

/** The stores that are meant, treelog's own, and the agents that may have prompts and no sessions any more. */
async function promptStores(context: CommandContext): Promise<MeantStore[]> {
  if (isStoreNamed(context)) return [...(await meantStores(context)), { program: undefined, options: context.options }]
  const own: MeantStore = { program: undefined, options: { store: "treelog" } }
  const agents = AGENTS_WITH_PROMPTS.map((store) => ({ program: store, options: { store } }))
  return [...(await meantStores(context)), ...agents, own]
}

/**
 * The newest prompts, each text once, newest first.
 * @param onUnread gets what could not be read of a source; the others are searched all the same
 */
export async function findPrompts(
  sources: readonly PromptSource[],
  query: PromptQuery,
  onUnread: OnUnread,
): Promise<FoundPrompt[]> {
  const found: FoundPrompt[] = []
  for (const source of sources) {
    const { store: name, path } = source
    const onSkipped = (lines: number) =>
      onUnread(`${plural(lines, "line")} of ${path} contained no prompt.`, { code: SKIPPED, data: { path, lines } })
    const prompts = await source.find(query, onSkipped).catch((error: unknown) => {
      if (!isTreelogError(error)) throw error
      onUnread(`The prompts of ${name} cannot be read: ${error.message}`, error)
      return []
    })
    for (const { text, createdAt, cwd, sessionId } of prompts) {
      const store = sources.length > 1 && { store: source.store }
      const origin = { ...(cwd !== undefined && { cwd }), ...(sessionId !== undefined && { sessionId }) }
      found.push({ text, createdAt, ...origin, ...store })
    }
  }
  return distinct(found, query.limit)
}

/** Which prompts are meant: of the project of the folder, or all. */
export async function promptScope(context: CommandContext, isEverywhere: boolean): Promise<PromptScope> {
  return isEverywhere ? { kind: "all" } : repositoryScope(cwdIn(context))
}

/** The file of a store's prompts. Prompts of sessions in a database are in treelog's own folder on this machine. */
function databasePath({ io }: CommandContext, name: StoreName): string {
  return join(name.kind === "files" ? name.agentDir : ownFolder(io, "treelog"), "history.db")
}

function findInDatabase(context: CommandContext, path: string): PromptSource["find"] {
  const history = new SqlitePromptHistory({ path, access: "read" })
  context.onEnd(() => history.close())
  return async ({ text, scope, times = {}, limit }) => {
    const isTimed = times.since !== undefined || times.until !== undefined
    const found = await history.search(text, { scope, limit: isTimed ? Number.MAX_SAFE_INTEGER : limit })
    return found.filter(({ createdAt }) => isWithin(times, createdAt))
  }
}

/** Reads the whole file: it has one line a prompt. */
async function findInFile(
  path: string,
  { text, scope, times = {}, limit }: PromptQuery,
  onSkipped: (lines: number) => void,
): Promise<ImportedPrompt[]> {
  if (!statSync(path).isFile()) {
    const data = { key: path, operation: "read", errno: undefined }
    throw new TreelogError("StorageError", `${path} is not a file.`, data)
  }
  const terms = plainTerms(text)
  const promptOf = (line: string): ImportedPrompt | undefined =>
    claudePrompt(line, (hash) => pastedText(dirname(path), hash)) ?? codexPrompt(line)
  const found: ImportedPrompt[] = []
  let skipped = 0
  const countSkipped = () => {
    skipped += 1
  }
  try {
    for await (const prompt of promptsOfFile(path, promptOf, countSkipped)) {
      if (!isWithin(times, prompt.createdAt) || !isInPromptScope(scope, prompt)) continue
      if (containsTerms(foldText(prompt.text), terms)) found.push(prompt)
    }
  } catch (error) {
    throw toStorageError(error, path, "read")
  }
  if (skipped > 0) onSkipped(skipped)
  return distinct(found, limit)
}

/** The newest of each text, newest first. */
function distinct<Found extends ImportedPrompt>(prompts: readonly Found[], limit: number): Found[] {
  const newest = new Map<string, Found>()
  for (const prompt of [...prompts].sort((a, b) => b.createdAt - a.createdAt)) {
    if (newest.size >= limit) break
    if (!newest.has(prompt.text)) newest.set(prompt.text, prompt)
  }
  return [...newest.values()]
}

/** Where Claude Code and Codex keep their prompts; undefined for an agent that keeps none. */
function promptFile({ io }: CommandContext, agent: string): string | undefined {
  if (!AGENTS_WITH_PROMPTS.some((name) => name === agent)) return undefined
  return join(absoluteFolder(io, sessionsByVariables(io.env, placeOf(io, agent)).folder), "history.jsonl")
}

/** A text that Claude Code keeps beside its prompts; undefined where it is gone. @throws StorageError where it cannot be read */
function pastedText(folder: string, hash: string): string | undefined {
  if (!/^[0-9a-f]+$/i.test(hash)) return undefined
  return textIfThere(join(folder, "paste-cache", `${hash}.txt`))
}

/** What is in a folder that cannot be read is not missing: opening it reports why. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return false
    throw error
  }
}
