import { type CompactionRequests, compactionRequests, type Session } from "@treelog/session-core"
import type { CommandContext } from "./command-context.js"
import type { Compacted, CompactionPlan } from "./plan-compaction.js"
import { cleanLine, cleanText } from "./render/clean-text.js"
import { compactionFacts, tokensText } from "./render/compaction-facts.js"
import { factLines } from "./render/fact-lines.js"
import { shortEntryIds } from "./render/short-ids.js"

/** Prints what was done: the id of the new entry, and on stderr what it amounts to. */
export async function printCompaction(
  context: CommandContext,
  session: Session,
  compacted: Compacted | undefined,
): Promise<void> {
  if (context.options.json) {
    const { entryId = null, summary, tokensAfter } = compacted ?? {}
    const status = compacted ? "compacted" : "nothing-to-compact"
    const done = compacted && { summary, tokensAfter }
    await context.printJson({ ...headOf(session), dryRun: false, status, entryId, ...planJson(compacted), ...done })
  } else if (compacted) await context.print([cleanLine(compacted.entryId)])
  await context.say(sentenceFor(compacted))
}

/** Prints what would be done, and with `verbose` or as JSON what a summarizer would be asked. */
export async function printPlan(
  context: CommandContext,
  session: Session,
  plan: CompactionPlan | undefined,
  { instructions, verbose = false }: { readonly instructions?: string; readonly verbose?: boolean },
): Promise<void> {
  const requests = plan && compactionRequests(plan.preparation, instructions)
  if (context.options.json) {
    const status = plan ? "ready" : "nothing-to-compact"
    const asked = plan && { previousSummary: plan.preparation.previousSummary ?? null, requests }
    await context.printJson({ ...headOf(session), dryRun: true, status, entryId: null, ...planJson(plan), ...asked })
    return
  }
  if (plan) await context.print(factLines(compactionFacts(plan, shortEntryIds(session)), context.style))
  if (verbose && requests) await context.print(promptLines(requests, context))
  await context.say(plan ? "This was a dry run." : sentenceFor(undefined))
}

function headOf(session: Session): object {
  return { sessionId: session.getSessionId(), path: session.getSessionFile(), leafId: session.getLeafId() }
}

function planJson(plan: CompactionPlan | undefined): object | undefined {
  if (!plan) return undefined
  const { preparation, summarize, turnPrefix, keep } = plan
  const { firstKeptEntryId, tokensBefore, isSplitTurn, files } = preparation
  return { tokensBefore, firstKeptEntryId, isSplitTurn, summarize, turnPrefix, keep, files }
}

function sentenceFor(compacted: Compacted | undefined): string {
  if (!compacted) return "Nothing to compact."
  const { preparation, tokensAfter } = compacted
  return `The context had ${tokensText(preparation.tokensBefore)}, and has about ${tokensText(tokensAfter)} now.`
}

/** Whole, so that it can be tried on a model. */
function* promptLines(requests: CompactionRequests, { style }: CommandContext): Generator<string> {
  for (const request of [requests.history, requests.turnPrefix]) {
    if (!request) continue
    yield ""
    yield style.paint("bold", `prompt (${request.kind})`)
    yield* cleanText(`${request.systemPrompt}\n\n${request.prompt}`).split("\n")
  }
}
