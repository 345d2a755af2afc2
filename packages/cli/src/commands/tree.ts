import { type Diagnostic, isEntry, type Session, type SessionEntry } from "@treelog/session-core"
import { concurrentBranches, EntryTree, sourceOf } from "@treelog/session-core/adapter"
import { navigateTo } from "@treelog/session-core/compaction"
import { cleanLine, cleanTabbed, entryLine, numberText, TREE_FILTERS, type TreeFilter } from "@treelog-internal/text"
import { type CommandDefinition, INSTRUCTIONS, NEWEST_OR, TIMEOUT } from "../define/command.js"
import { EXIT, type ExitCode, UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { commandLine } from "../io/shell-command.js"
import { shortEntryIds } from "../render/short-ids.js"
import { type ShownLeaf, shownLeaf, treeLines, treeView, type ViewNode, viewRows } from "../render/tree-lines.js"
import { findSession } from "../sessions/find-session.js"
import {
  findEntry,
  openForReading,
  openFound,
  printDiagnostics,
  type StoredSession,
  withSession,
} from "../sessions/open-to-read-or-write.js"
import { type DatedPrices, entryCost, openPrices } from "../sessions/prices.js"
import { noSummary, withShellSummarizer } from "../summarizer/shell-summarizer.js"
import { pickInTree } from "../tui/tree/pick-in-tree.js"
import type { TreeOptions } from "./tree/tree-options.js"

export const command: CommandDefinition = {
  job: "read",
  summary: "print the tree: branches, labels, compactions",
  description: "Print the tree of a session: every branch, labels, compactions, and the current entry.",
  examples: [
    ["treelog tree", "the newest session of this folder"],
    ["treelog tree @-2 --filter user-only", "only messages of the user"],
    ["treelog tree 01a1 --filter labeled-only", "only labelled entries"],
    ["treelog tree -i", "browse, and choose where to continue"],
    ["treelog tree 01a1 --select 90f5", "continue at an entry at once"],
  ],
  arguments: [["[session]", NEWEST_OR]],
  options: [
    ["--filter <filter>", "which entries to show", { choices: TREE_FILTERS, default: "default" }],
    ["-i, --interactive", "browse the tree, set labels, and choose an entry to continue from; needs a terminal"],
    ["--select <entry>", "continue from this entry; for a user message from the one before, and print its text"],
    [
      "--summarizer <command>",
      "with -i or --select: a command that summarizes the branch that you leave; -i asks first",
    ],
    ["--instructions <text>", INSTRUCTIONS],
    TIMEOUT,
  ],
  run: tree,
}

/** Prints the tree of a session, or moves its leaf to an entry. */
export async function tree(context: CommandContext, ref: string | undefined, options: TreeOptions): Promise<ExitCode> {
  const { interactive, select, summarizer, instructions } = options
  if (interactive && select !== undefined) throw new UsageError("Give --interactive or --select, not both.")
  if (interactive || select !== undefined) {
    if (select !== undefined && summarizer === undefined && instructions !== undefined)
      throw new UsageError("--instructions needs --summarizer.")
    return navigateTree(context, ref, options)
  }
  if (summarizer !== undefined || instructions !== undefined)
    throw new UsageError("--summarizer and --instructions need --interactive or --select.")
  return drawTree(context, ref, options.filter)
}

async function drawTree(context: CommandContext, ref: string | undefined, filter: TreeFilter): Promise<ExitCode> {
  const session = await openForReading(context, ref)
  const roots = treeView(session.getTree(), filter)
  const branch = session.getBranch()
  const active = new Set(branch)
  const leaf = shownLeaf(roots, branch, active)
  if (context.options.json) {
    const head = {
      sessionId: session.getSessionId(),
      path: session.getSessionFile(),
      leafId: session.getLeafId(),
      filter,
    }
    const prices = await openPrices(context.io)
    await context.printJsonList(head, "nodes", jsonNodes(roots, active, leaf, prices))
    return EXIT.ok
  }
  const shortId = shortEntryIds(session)
  await context.print(treeLines(roots, { style: context.style, shortId, active, leaf }))
  const entries = session.getEntries()
  if (roots.length === 0) await context.log(emptiness(entries.length, filter))
  if (sourceOf(session.getHeader()).agent === undefined) return EXIT.ok
  const [id, roles] = [
    session.getSessionId(),
    entries.map((entry) => (isEntry(entry, "message") ? entry.message?.role : undefined)),
  ]
  for (const { entryId = "", message } of concurrentBranches(new EntryTree(entries), session.getLeafId(), roles)) {
    const line = commandLine(["resume", id, "--leaf", entryId], context.options)
    await context.log(`${message} To go on from there: ${line}`)
  }
  return EXIT.ok
}

/** The nodes from top to bottom, flat: a tree may be deeper than JSON can nest. */
function* jsonNodes(
  roots: readonly ViewNode[],
  active: ReadonlySet<SessionEntry>,
  leaf: ShownLeaf | undefined,
  prices: DatedPrices,
): Generator<object> {
  for (const { node } of viewRows(roots, active)) {
    const { entry, label, parent } = node
    const cost = entryCost(entry, prices)
    yield {
      id: entry.id,
      parentId: parent?.entry.id ?? null,
      type: entry.type,
      timestamp: entry.timestamp,
      ...entryLine(entry),
      ...(label !== undefined && { label }),
      ...(cost && { cost }),
      active: active.has(entry),
      leaf: node === leaf?.node,
    }
  }
}

function emptiness(entries: number, filter: TreeFilter): string {
  if (entries === 0) return "The session has no entries."
  return `Nothing is shown by the filter ${filter}; --filter all shows all entries (${numberText(entries)}).`
}

/** Moves the leaf of a session to an entry: the one that is named, or that the user chooses. */
async function navigateTree(context: CommandContext, ref: string | undefined, options: TreeOptions): Promise<ExitCode> {
  const { select, summarizer, instructions, timeout } = options
  const found = await findSession(context, ref)
  const session = await openFound(context, found)
  let destination: NavigationTarget | undefined
  if (select !== undefined) destination = { entryId: findEntry(session, select), summarizer, instructions, timeout }
  else {
    const choice = await pickInTree(context, found, session, {
      filter: options.filter,
      command: "treelog tree --interactive",
      alternatives: "`treelog tree` prints it, and `--select ENTRY` continues from an entry without asking",
      canSummarize: summarizer !== undefined,
    })
    destination = choice && {
      entryId: choice.entryId,
      summarizer: choice.summarize ? summarizer : undefined,
      instructions: choice.instructions ?? instructions,
      timeout,
    }
  }
  if (!destination) return EXIT.interrupted
  await printNavigation(context, await navigateSession(context, found, destination), destination)
  return EXIT.ok
}

interface NavigationTarget {
  readonly entryId: string
  /** A command line that summarizes the branch that is left. */
  readonly summarizer?: string | undefined
  readonly instructions?: string | undefined
  /** Milliseconds. */
  readonly timeout: number
}

/** The new position of a session. */
interface NavigationResult {
  readonly session: Session
  /** What was written: the summary, or a mark; null where the session was there already. */
  readonly entryId: string | null
  /** The entry that the session continues from; null for the root. */
  readonly targetId: string | null
  /** The text of the message that was named, to be edited and sent again. */
  readonly editorText?: string | undefined
  readonly hasSummary: boolean
  /** Long texts that the summarizer saw cut. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Moves the leaf of a stored session by the rules of `Session.navigateTo`, and stores the new leaf.
 * @throws SummaryError, SessionBusyError, EntryNotFoundError
 */
function navigateSession(
  context: CommandContext,
  found: StoredSession,
  destination: NavigationTarget,
): Promise<NavigationResult> {
  return withSession(context, found, async (session) => {
    const before = session.getLeafId()
    const moved = await navigated(context, session, destination)
    if (moved.status !== "moved") throw noSummary(moved.status, destination.summarizer)
    const { leafId: targetId, summaryId, editorText, diagnostics = [] } = moved
    const entryId = summaryId ?? (targetId === before ? null : session.persistLeaf())
    return { session, entryId, targetId, editorText, hasSummary: summaryId !== undefined, diagnostics }
  })
}

function navigated(
  context: CommandContext,
  session: Session,
  destination: NavigationTarget,
): ReturnType<typeof navigateTo> {
  const { entryId, summarizer: command, instructions, timeout } = destination
  if (command === undefined) return navigateTo(session, entryId)
  return withShellSummarizer(context, { command, timeout }, (summarize, signal) =>
    navigateTo(session, entryId, { summarize, instructions, signal }),
  )
}

/** Prints the current entry of a session, and below it the text to edit, if there is one. */
async function printNavigation(
  context: CommandContext,
  { session, entryId, targetId, editorText, hasSummary, diagnostics }: NavigationResult,
  { entryId: selectedId, summarizer }: NavigationTarget,
): Promise<void> {
  if (context.options.json) {
    await context.printJson({
      sessionId: session.getSessionId(),
      path: session.getSessionFile(),
      entryId,
      leafId: session.getLeafId(),
      targetId,
      selectedId,
      ...(editorText !== undefined && { editorText }),
      ...(summarizer !== undefined && { summarized: hasSummary, diagnostics }),
    })
    return
  }
  await context.print([cleanLine(targetId ?? "root"), ...(editorText === undefined ? [] : [cleanTabbed(editorText)])])
  await printDiagnostics(context, diagnostics)
  if (summarizer !== undefined && !hasSummary) await context.log("There was nothing to summarize.")
  await context.log(`The session continues ${targetId === null ? "from the beginning" : `at ${targetId}`}.`)
}
