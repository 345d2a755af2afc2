import type { Message, Session } from "@treelog/session-core"
import {
  type CompactionSettings,
  compact,
  compactionRequests,
  estimateTokens,
  planCompaction,
} from "@treelog/session-core/compaction"
import type { AgentStorage } from "@treelog/stores"
import { cleanLine, cleanText, plural } from "@treelog-internal/text"
import { type CommandDefinition, INSTRUCTIONS, positiveInteger, SESSION, TIMEOUT } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { shortEntryIds } from "../render/short-ids.js"
import { type Fact, factLines } from "../render/table.js"
import { findSession } from "../sessions/find-session.js"
import {
  openFound,
  printDiagnostics,
  type StoredSession,
  sessionFields,
  withSession,
} from "../sessions/open-to-read-or-write.js"
import { isWritableStore } from "../store/command-sessions.js"
import { defaultSessions } from "../store/copy-to-write.js"
import { noSummary, readSummary, withShellSummarizer } from "../summarizer/shell-summarizer.js"
import { importOne } from "../transfer/from-agent.js"
import { type MadeCopy, madeIn, orNoCopies } from "../transfer/made-copies.js"

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
  readonly summary?: string
  readonly instructions?: string
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
  const isWritable = isWritableStore(found.source)
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
  { source: sessions, key }: StoredSession,
  made: MadeCopy[],
): Promise<StoredSession> {
  const target = await defaultSessions(context)
  const { path, status } = await context.hold(importOne(target, sessions.storage as AgentStorage, key, false))
  if (status === "created") made.push(madeIn(target.storage, path))
  await context.log(`The sessions of ${sessions.agent} are only read: its copy in ${target.address} is compacted.`)
  return { source: target, key: path }
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
  if (outcome.status === "nothing-to-compact") return undefined
  if (outcome.status !== "compacted") throw noSummary(outcome.status, options.summarizer)
  const { entryId, summary, files } = outcome
  return { plan, entryId, summary, files, tokensAfter: extentOf(session.buildSessionContext().messages).tokens }
}

type CompactionPlan = NonNullable<Awaited<ReturnType<typeof planCompaction>>>

interface Compacted {
  readonly plan: CompactionPlan
  readonly entryId: string
  readonly summary: string
  /** The files of the plan, and those that the summary came with. */
  readonly files: CompactionPlan["files"]
  /** Size of the context now, in tokens. */
  readonly tokensAfter: number
}

/** Prints what was done: the id of the new entry, and on stderr what it amounts to. */
async function printCompaction(
  context: CommandContext,
  session: Session,
  compacted: Compacted | undefined,
): Promise<void> {
  if (context.options.json) {
    const { plan, entryId = null, ...done } = compacted ?? {}
    const status = compacted ? "compacted" : "nothing-to-compact"
    await context.printJson({ ...sessionFields(session), dryRun: false, status, entryId, ...planJson(plan), ...done })
  } else if (compacted) await context.print([cleanLine(compacted.entryId)])
  if (!compacted) return context.log(NOTHING)
  const { plan, tokensAfter } = compacted
  await printDiagnostics(context, plan.diagnostics)
  await context.log(`The context had ${tokensText(plan.tokensBefore)}, and has about ${tokensText(tokensAfter)} now.`)
}

/** Prints what would be done, and with `verbose` or as JSON what a summarizer would be asked. */
async function printPlan(
  context: CommandContext,
  session: Session,
  plan: CompactionPlan | undefined,
  { instructions, verbose = false }: { readonly instructions?: string; readonly verbose?: boolean },
): Promise<void> {
  const requests = plan && compactionRequests(plan, instructions)
  if (context.options.json) {
    const status = plan ? "ready" : "nothing-to-compact"
    const asked = plan && { previousSummary: plan.previousSummary ?? null, requests }
    await context.printJson({
      ...sessionFields(session),
      dryRun: true,
      status,
      entryId: null,
      ...planJson(plan),
      ...asked,
    })
    return
  }
  if (!plan) return context.log(NOTHING)
  await context.print(factLines(compactionFacts(plan, shortEntryIds(session)), context.style))
  if (verbose && requests) await context.print(promptLines(requests, context))
  await printDiagnostics(context, plan.diagnostics)
  await context.log("This was a dry run.")
}

const NOTHING = "Nothing to compact."

function planJson(plan: CompactionPlan | undefined): object | undefined {
  if (!plan) return undefined
  const { tokensBefore, firstKeptEntryId, isSplitTurn, files, diagnostics } = plan
  return { tokensBefore, firstKeptEntryId, isSplitTurn, ...extentsOf(plan), files, diagnostics }
}

/** Whole, so that it can be tried on a model. */
function* promptLines(requests: ReturnType<typeof compactionRequests>, { style }: CommandContext): Generator<string> {
  for (const request of [requests.history, requests.turnPrefix]) {
    if (!request) continue
    yield ""
    yield style.paint("bold", `prompt (${request.kind})`)
    yield* cleanText(`${request.systemPrompt}\n\n${request.prompt}`).split("\n")
  }
}

/** How much a compaction would summarize and keep; `turnPrefix` is what belongs to the turn that is cut in two. */
function extentsOf(plan: CompactionPlan) {
  const { messagesToSummarize, turnPrefixMessages, messagesToKeep } = plan
  return {
    summarize: extentOf([...messagesToSummarize, ...turnPrefixMessages]),
    turnPrefix: extentOf(turnPrefixMessages),
    keep: extentOf(messagesToKeep),
  }
}

/** How large some messages are. Tokens are an estimate. */
function extentOf(messages: readonly Message[]) {
  return { messages: messages.length, tokens: messages.reduce((sum, message) => sum + estimateTokens(message), 0) }
}

/** What a compaction would do with a context. */
function compactionFacts(plan: CompactionPlan, shortId: (id: string) => string): Fact[] {
  const { tokensBefore, firstKeptEntryId, previousSummary, files } = plan
  const { summarize, turnPrefix, keep } = extentsOf(plan)
  const facts: Fact[] = [
    ["context", tokensText(tokensBefore)],
    ["summarized", extentText(summarize)],
  ]
  if (turnPrefix.messages > 0) facts.push(["of a cut turn", extentText(turnPrefix)])
  if (previousSummary !== undefined) facts.push(["carried on", "the previous summary"])
  facts.push(["kept", `${extentText(keep)}, from ${shortId(firstKeptEntryId)}`])
  facts.push(["only read", plural(files.readFiles.length, "file")])
  facts.push(["modified", plural(files.modifiedFiles.length, "file")])
  return facts
}

function tokensText(tokens: number): string {
  return plural(tokens, "token")
}

function extentText({ messages, tokens }: ReturnType<typeof extentOf>): string {
  return `${plural(messages, "message")}, about ${tokensText(tokens)}`
}
