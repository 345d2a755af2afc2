import { compact, type Session, sessionContextTokens, withFileLists } from "@treelog/session-core"
import type { CommandContext } from "../command-context.js"
import { EXIT, type ExitCode } from "../exit-codes.js"
import { openForReading, withSession } from "../open-session.js"
import { type CompactionPlan, pathOf, planCompaction, settingsFor } from "../plan-compaction.js"
import { printCompaction, printPlan } from "../print-compaction.js"
import { readSummary } from "../summarizer/read-summary.js"
import { type ShellSummarizer, withShellSummarizer } from "../summarizer/shell-summarizer.js"
import { SummaryError } from "../summarizer/summary-error.js"
import { UsageError } from "../usage-error.js"

export interface CompactCommandOptions {
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
  assertFitting(options)
  if (options.dryRun) {
    const session = await openForReading(context, ref)
    await printPlan(context, session, planCompaction(session, options.keep), options)
    return EXIT.ok
  }
  const written = options.summary === undefined ? undefined : await readSummary(context.io, options.summary)
  const { session, compacted } = await withSession(context, ref, async (session) => {
    const plan = planCompaction(session, options.keep)
    if (!plan) return { session }
    const landed =
      written === undefined
        ? await summarized(context, session, options)
        : { summary: written, entryId: appendSummary(session, plan, written) }
    return { session, compacted: { ...plan, ...landed, tokensAfter: sessionContextTokens(pathOf(session)).tokens } }
  })
  await printCompaction(context, session, compacted)
  return EXIT.ok
}

function assertFitting({ summarizer, summary, instructions, dryRun }: CompactCommandOptions): void {
  if (summarizer !== undefined && summary !== undefined)
    throw new UsageError("Give --summarizer or --summary, not both.")
  if (summary !== undefined && instructions !== undefined)
    throw new UsageError("--instructions are for a summarizer; the summary of --summary is written already.")
  if (summarizer === undefined && summary === undefined && !dryRun)
    throw new UsageError("Say where the summary comes from: --summarizer or --summary. --dry-run needs none.")
}

async function summarized(
  context: CommandContext,
  session: Session,
  { summarizer: command = "", timeout, instructions, keep }: CompactCommandOptions,
): Promise<{ entryId: string; summary: string }> {
  const shell: ShellSummarizer = { command, timeout }
  const outcome = await withShellSummarizer(context, shell, (summarizer, signal) =>
    compact(session, summarizer, { instructions, signal, settings: settingsFor(keep) }),
  )
  if (outcome.status === "compacted") return outcome
  if (outcome.status === "empty-summary") throw new SummaryError("empty", "The summarizer said nothing.", { command })
  throw new SummaryError("overtaken", "The session moved on while it was summarized.")
}

/** What the library does with the answer of a summarizer, for a summary that covers everything. */
function appendSummary(session: Session, { preparation }: CompactionPlan, summary: string): string {
  const { firstKeptEntryId, tokensBefore, files, systemMessage } = preparation
  const whole = withFileLists(summary, files)
  const extras = systemMessage ? { systemMessage } : {}
  return session.appendCompaction(whole, firstKeptEntryId, tokensBefore, { ...files }, undefined, extras)
}
