import { readFileSync } from "node:fs"
import { stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import {
  claudePrompt,
  codexPrompt,
  type ImportedPrompt,
  type PromptImportReport,
  promptsOfFile,
  promptsOfSessions,
} from "@treelog/history-sqlite"
import { TreelogError } from "@treelog/session-core"
import { absoluteFolder, isGone, toStorageError } from "@treelog-internal/fs"
import { plural } from "@treelog-internal/text"
import { managerWith, storedBlobs } from "../../blobs/session-blobs.js"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import type { Io } from "../../io/io.js"
import { Progress } from "../../io/progress.js"
import { changeHistory, type HistoryOptions, historyPath } from "../../prompts/open-history.js"
import { type IgnoreOptions, promptRules } from "../../prompts/prompt-rules.js"
import { importSentence } from "../../render/result-lines.js"
import { everyStore, isNothingThere, nothingExamined, type StoreSessions } from "../../sessions/every-store.js"
import { type Failure, failureLine } from "../../sessions/stored-keys.js"

interface ImportOptions extends HistoryOptions, IgnoreOptions {
  /** `sessions`, `claude-code`, `codex`, or a file of one of them. */
  readonly from: string
}

/** What could not be read while importing. */
interface Faults {
  readonly failures: Failure[]
  /** Lines of a file that hold no prompt. */
  skipped: number
}

/** Imports earlier prompts. Prompts that the history has already do not change. */
export async function importHistory(context: CommandContext, options: ImportOptions): Promise<ExitCode> {
  const rules = promptRules(options)
  const faults: Faults = { failures: [], skipped: 0 }
  const stores = options.from === "sessions" ? await everyStore(context) : []
  if (stores.length > 0 && (await isNothingThere(stores, true))) return nothingExamined(context, stores, true)
  const prompts = stores.length > 0 ? promptsOfStores(stores, faults) : await promptsOf(context, options.from, faults)
  const signal = context.io.interrupted
  const progress = new Progress(context)
  const report = await changeHistory(context, historyPath(context, options), rules, (history) =>
    history.import(withProgress(progress, prompts), { signal }),
  )
  await progress.clear()
  await printOutcome(context, report, faults)
  return faults.failures.length > 0 ? EXIT.failed : EXIT.ok
}

/** Yields the prompts, and shows progress. */
async function* withProgress(
  progress: Progress,
  prompts: AsyncIterable<ImportedPrompt>,
): AsyncGenerator<ImportedPrompt> {
  let read = 0
  for await (const prompt of prompts) {
    yield prompt
    read += 1
    await progress.show(`Read ${plural(read, "prompt")}`)
  }
}

async function* promptsOfStores(stores: readonly StoreSessions[], faults: Faults): AsyncGenerator<ImportedPrompt> {
  for (const { sessions } of stores) {
    const manager = await managerWith(sessions, await storedBlobs(sessions)?.open("read"))
    yield* promptsOfSessions(manager, (path, error) => {
      faults.failures.push({ path, error: knownFault(error) })
    })
  }
}

/** @throws StorageError where the file is not there */
async function promptsOf(
  context: CommandContext,
  from: string,
  faults: Faults,
): Promise<AsyncIterable<ImportedPrompt>> {
  const path = await promptFile(from, context.io)
  const promptOf = (line: string): ImportedPrompt | undefined =>
    claudePrompt(line, (hash) => pastedText(dirname(path), hash)) ?? codexPrompt(line)
  return promptsOfFile(path, promptOf, () => {
    faults.skipped += 1
  })
}

/** A text that Claude Code keeps beside its prompts; undefined where it is gone. @throws StorageError where it cannot be read */
function pastedText(folder: string, hash: string): string | undefined {
  if (!/^[0-9a-f]+$/i.test(hash)) return undefined
  const path = join(folder, "paste-cache", `${hash}.txt`)
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if (isGone(error)) return undefined
    throw toStorageError(error, path, "read")
  }
}

/** @throws errors that are not about the session */
function knownFault(error: unknown): Failure["error"] {
  if (typeof error === "object" && error !== null && "code" in error && "message" in error)
    return { code: String(error.code), message: String(error.message) }
  throw error
}

async function printOutcome(
  context: CommandContext,
  report: PromptImportReport,
  { failures, skipped }: Faults,
): Promise<void> {
  if (context.options.json) return context.printJson({ ...report, skippedLines: skipped, failures })
  await context.print(failures.map((failure) => failureLine(failure, context.style)))
  await context.print([importSentence(report)])
  if (skipped > 0) await context.log(`${plural(skipped, "line")} contained no prompt.`)
}

/**
 * The file of prompts that is meant by `claude-code`, `codex` or a path.
 * @throws StorageError where it is not a file
 */
async function promptFile(from: string, io: Pick<Io, "env" | "cwd">): Promise<string> {
  const path = absoluteFolder(io, knownFile(from, io.env) ?? from)
  try {
    if ((await stat(path)).isFile()) return path
  } catch (cause) {
    const errno = cause instanceof Error && "code" in cause ? String(cause.code) : undefined
    const data = { key: path, operation: "import", errno }
    if (errno === "ENOENT") throw new TreelogError("StorageError", `There is no file ${path}.`, data, { cause })
    throw new TreelogError("StorageError", `Cannot read ${path}: ${errno}.`, data, { cause })
  }
  const data = { key: path, operation: "import", errno: undefined }
  throw new TreelogError("StorageError", `${path} is not a file.`, data)
}

/** Where Claude Code and Codex keep theirs. */
function knownFile(from: string, env: Io["env"]): string | undefined {
  if (from === "claude-code") return join(env.CLAUDE_CONFIG_DIR || "~/.claude", "history.jsonl")
  if (from === "codex") return join(env.CODEX_HOME || "~/.codex", "history.jsonl")
  return undefined
}
