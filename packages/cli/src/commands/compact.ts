import type { Session } from "@treelog/session-core"
import { type CompactionSettings, compact, planCompaction } from "@treelog/session-core/compaction"
import type { AgentStorage } from "@treelog/stores"
import type { CommandDefinition } from "../define/command.js"
import { INSTRUCTIONS, SESSION, TIMEOUT } from "../define/shared-options.js"
import { positiveInteger } from "../define/values.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { findSession } from "../sessions/find-session.js"
import { openFound, type StoredSession, withSession } from "../sessions/open-to-read-or-write.js"
import { defaultSessions } from "../store/copy-to-write.js"
import { isWritableStore } from "../store/require-files.js"
import { withShellSummarizer } from "../summarizer/shell-summarizer.js"
import { readSummary, SummaryError } from "../summarizer/summary-error.js"
import { importOne } from "../transfer/from-agent.js"
import { type MadeCopy, madeIn, orNoCopies } from "../transfer/made-copies.js"
import { type Compacted, extentOf, printCompaction, printPlan } from "./compact/print-compaction.js"

export const command: CommandDefinition = {
  job: "go on",
  summary: "summarize all but the newest messages",
  description: "Summarize all but the newest messages, so that the model gets less context. No entry is removed.",
  examples: [
    ["treelog compact @last --dry-run", "show the plan"],
    ['treelog compact @last --summarizer "llm -m haiku"', "summarize with a program"],
    ["treelog compact 01a1ffe2 --summary notes.md", "use your own summary"],
  ],
  arguments: [["<session>", SESSION]],
  options: [
    [
      "--summarizer <command>",
      "summarize with this command: it reads a prompt on stdin, and writes the summary to stdout",
    ],
    ["--summary <file>", "use the summary in this file; `-` reads it from stdin"],
    ["--instructions <text>", INSTRUCTIONS],
    [
      "--keep <tokens>",
      "keep about this many tokens of the newest messages (default: 20000)",
      { parse: positiveInteger },
    ],
    TIMEOUT,
    ["-n, --dry-run", "print what would be summarized and what kept, and change nothing"],
    ["-v, --verbose", "with --dry-run: also print the prompt"],
  ],
  run: compactSession,
}

interface CompactCommandOptions {
  readonly summarizer?: string
  /** A file; `-` for stdin. */
  readonly summary?: string
  readonly instructions?: string
  /** Tokens of the newest messages that stay as they are. */
  readonly keep?: number
  /** Milliseconds. */
  readonly timeout: number
  readonly dryRun?: boolean
  readonly verbose?: boolean
}

export async function compactSession(
  context: CommandContext,
  ref: string,
  options: CompactCommandOptions,
): Promise<ExitCode> {
  requireCompatible(options)
  if (options.dryRun) {
    const session = await openFound(context, await findSession(context, ref))
    await printPlan(context, session, await planCompaction(session, settingsOf(options)), options)
    return EXIT.ok
  }
  const text = options.summary === undefined ? undefined : await readSummary(context.io, options.summary)
  const found = await findSession(context, ref)
  const isWritable = isWritableStore(found.source.sessions)
  if (!isWritable) {
    const source = await openFound(context, found)
    if (!(await planCompaction(source, settingsOf(options)))) {
      await printCompaction(context, source, undefined)
      return EXIT.ok
    }
  }
  const made: MadeCopy[] = []
  const { session, compacted } = await orNoCopies(made, async () => {
    const target = isWritable ? found : await copyToWrite(context, found, made)
    return withSession(context, target, async (session) => {
      return { session, compacted: await carryOut(context, session, text, options) }
    })
  })
  await printCompaction(context, session, compacted)
  return EXIT.ok
}

/** Copies a session that can only be read to the store of new sessions, which stderr says. @param made gets the copy, if it is new */
async function copyToWrite(
  context: CommandContext,
  { source: { sessions }, key }: StoredSession,
  made: MadeCopy[],
): Promise<StoredSession> {
  const target = await defaultSessions(context)
  const { path, status } = await context.hold(importOne(target, sessions.storage as AgentStorage, key, false))
  if (status === "created") made.push(madeIn(target.storage, path))
  await context.log(`The sessions of ${sessions.agent} are only read: its copy in ${target.address} is compacted.`)
  return { source: { sessions: target }, key: path }
}

function requireCompatible({ summarizer, summary, instructions, dryRun }: CompactCommandOptions): void {
  if (summarizer !== undefined && summary !== undefined)
    throw new UsageError("Give --summarizer or --summary, not both.")
  if (summary !== undefined && instructions !== undefined) throw new UsageError("--instructions needs --summarizer.")
  if (summarizer === undefined && summary === undefined && !dryRun)
    throw new UsageError("Choose the source of the summary: --summarizer or --summary. --dry-run needs none.")
}

function settingsOf({ keep }: CompactCommandOptions): Partial<CompactionSettings> {
  return keep === undefined ? {} : { keepRecentTokens: keep }
}

/**
 * @param text a summary that was written already
 * @returns undefined when there is nothing to summarize
 * @throws SummaryError when there is no summary, or it has no place any more
 */
async function carryOut(
  context: CommandContext,
  session: Session,
  text: string | undefined,
  options: CompactCommandOptions,
): Promise<Compacted | undefined> {
  const settings = settingsOf(options)
  const plan = await planCompaction(session, settings)
  if (!plan) return undefined
  const { summarizer: command = "", timeout, instructions } = options
  const outcome =
    text === undefined
      ? await withShellSummarizer(context, { command, timeout }, (summarizer, signal) =>
          compact(session, summarizer, { instructions, signal, settings }),
        )
      : await compact(session, { text }, { settings })
  if (outcome.status !== "compacted") throw noSummary(outcome.status, options)
  const { entryId, summary, files } = outcome
  return { plan, entryId, summary, files, tokensAfter: extentOf(session.buildSessionContext().messages).tokens }
}

type Failed = Exclude<Awaited<ReturnType<typeof compact>>["status"], "compacted">

function noSummary(status: Failed, { summarizer, summary }: CompactCommandOptions): SummaryError {
  if (status !== "empty-summary") return new SummaryError("overtaken", "The session moved on while it was summarized.")
  if (summary !== undefined) return new SummaryError("empty", "The summary is empty.", { file: summary })
  return new SummaryError("empty", "The summarizer printed nothing.", { command: summarizer })
}
