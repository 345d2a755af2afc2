import type { Message, Session } from "@treelog/session-core"
import { compactionRequests, estimateTokens, type planCompaction } from "@treelog/session-core/compaction"
import { cleanLine, cleanText, plural } from "@treelog-internal/text"
import type { CommandContext } from "../../io/command-context.js"
import { shortEntryIds } from "../../render/short-ids.js"
import { type Fact, factLines } from "../../render/table.js"
import { printDiagnostics } from "../../sessions/print-written.js"

type CompactionPlan = NonNullable<Awaited<ReturnType<typeof planCompaction>>>

export interface Compacted {
  readonly plan: CompactionPlan
  readonly entryId: string
  readonly summary: string
  /** The files of the plan, and those that the summary came with. */
  readonly files: CompactionPlan["files"]
  /** Size of the context now, in tokens. */
  readonly tokensAfter: number
}

/** Prints what was done: the id of the new entry, and on stderr what it amounts to. */
export async function printCompaction(
  context: CommandContext,
  session: Session,
  compacted: Compacted | undefined,
): Promise<void> {
  if (context.options.json) {
    const { plan, entryId = null, ...done } = compacted ?? {}
    const status = compacted ? "compacted" : "nothing-to-compact"
    await context.printJson({ ...headOf(session), dryRun: false, status, entryId, ...planJson(plan), ...done })
  } else if (compacted) await context.print([cleanLine(compacted.entryId)])
  if (!compacted) return context.log(NOTHING)
  const { plan, tokensAfter } = compacted
  await printDiagnostics(context, plan.diagnostics)
  await context.log(`The context had ${tokensText(plan.tokensBefore)}, and has about ${tokensText(tokensAfter)} now.`)
}

/** Prints what would be done, and with `verbose` or as JSON what a summarizer would be asked. */
export async function printPlan(
  context: CommandContext,
  session: Session,
  plan: CompactionPlan | undefined,
  { instructions, verbose = false }: { readonly instructions?: string; readonly verbose?: boolean },
): Promise<void> {
  const requests = plan && compactionRequests(plan, instructions)
  if (context.options.json) {
    const status = plan ? "ready" : "nothing-to-compact"
    const asked = plan && { previousSummary: plan.previousSummary ?? null, requests }
    await context.printJson({ ...headOf(session), dryRun: true, status, entryId: null, ...planJson(plan), ...asked })
    return
  }
  if (!plan) return context.log(NOTHING)
  await context.print(factLines(compactionFacts(plan, shortEntryIds(session)), context.style))
  if (verbose && requests) await context.print(promptLines(requests, context))
  await printDiagnostics(context, plan.diagnostics)
  await context.log("This was a dry run.")
}

const NOTHING = "Nothing to compact."

function headOf(session: Session): object {
  return { sessionId: session.getSessionId(), path: session.getSessionFile(), leafId: session.getLeafId() }
}

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
export function extentOf(messages: readonly Message[]) {
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

export function tokensText(tokens: number): string {
  return plural(tokens, "token")
}

function extentText({ messages, tokens }: ReturnType<typeof extentOf>): string {
  return `${plural(messages, "message")}, about ${tokensText(tokens)}`
}
