import type { Diagnostic, Session } from "@treelog/session-core"
import { summarizeBranch } from "@treelog/session-core/compaction"
import { type CommandDefinition, ENTRY, INSTRUCTIONS, SESSION, TIMEOUT } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { findEntryOrRoot, printAppended, printDiagnostics, withSession } from "../sessions/open-to-read-or-write.js"
import { noSummary, withShellSummarizer } from "../summarizer/shell-summarizer.js"

export const command: CommandDefinition = {
  job: "in scripts",
  summary: "go back to an entry and start a new branch there",
  description: "Go back to an entry: the next append starts a new branch there.",
  examples: [
    ["treelog branch @last 90f5a690", "go back to an entry"],
    ['treelog branch @last 90f5 --summary "No luck"', "with your own summary"],
    ["treelog branch @last 90f5 --summarize llm", "with a summary by a program"],
    ["treelog branch @last root", "start over in the same session"],
  ],
  arguments: [
    ["<session>", SESSION],
    ["<entry>", `${ENTRY}; \`root\` means before the first entry`],
  ],
  options: [
    ["--summary <text>", "summary of the branch that you leave, for the new one"],
    [
      "--summarize <command>",
      "summarize with this command: it reads a prompt on stdin, and writes the summary to stdout",
    ],
    ["--instructions <text>", INSTRUCTIONS],
    TIMEOUT,
  ],
  run: branch,
}

interface BranchOptions {
  readonly summary?: string
  readonly summarize?: string
  readonly instructions?: string
  /** Milliseconds. */
  readonly timeout: number
}

/** The new entry, and how it was made. */
interface Summarized {
  readonly entryId: string
  /** The summary of the branch that was left; null where there was nothing to summarize. */
  readonly summary: string | null
  /** Long texts that it saw cut. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Moves the leaf of a session, and writes down where it is: with a summary of what is left, or by a mark. */
export async function branch(
  context: CommandContext,
  ref: string,
  entry: string,
  options: BranchOptions,
): Promise<ExitCode> {
  const { summary, summarize, instructions } = options
  if (summary !== undefined && summarize !== undefined) throw new UsageError("Give --summary or --summarize, not both.")
  if (summarize === undefined && instructions !== undefined) throw new UsageError("--instructions needs --summarize.")
  const moved = await withSession(context, ref, async (session) => {
    const targetId = findEntryOrRoot(session, entry)
    if (summarize !== undefined)
      return { session, targetId, ...(await summarized(context, session, targetId, options)) }
    const entryId = summary === undefined ? marked(session, targetId) : session.branchWithSummary(targetId, summary)
    return { session, entryId, targetId }
  })
  await printAppended(context, moved)
  if ("diagnostics" in moved) await printDiagnostics(context, moved.diagnostics)
  if ("summary" in moved && moved.summary === null) await context.log("There was nothing to summarize.")
  await context.log(`The session continues ${moved.targetId === null ? "from the beginning" : `at ${moved.targetId}`}.`)
  return EXIT.ok
}

async function summarized(
  context: CommandContext,
  session: Session,
  targetId: string | null,
  { summarize: command = "", timeout, instructions }: BranchOptions,
): Promise<Summarized> {
  const outcome = await withShellSummarizer(context, { command, timeout }, (summarizer, signal) =>
    summarizeBranch(session, targetId, summarizer, { instructions, signal }),
  )
  switch (outcome.status) {
    case "summarized":
      return { entryId: outcome.entryId, summary: outcome.summary, diagnostics: outcome.diagnostics }
    case "nothing-to-summarize":
      return { entryId: marked(session, targetId), summary: null, diagnostics: [] }
    default:
      throw noSummary(outcome.status, command)
  }
}

function marked(session: Session, targetId: string | null): string {
  if (targetId === null) session.resetLeaf()
  else session.branch(targetId)
  return session.persistLeaf()
}
