import { isEntry, type SessionEntry } from "@treelog/session-core"
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
  sessionFields,
  withSession,
} from "../sessions/open-to-read-or-write.js"
import { type DatedPrices, entryCost, openPrices } from "../sessions/prices.js"
import { noSummary, withShellSummarizer } from "../summarizer/shell-summarizer.js"
import { pickInTree } from "../tui/tree/pick-in-tree.js"
import type { TreeChoice } from "../tui/tree/tree-press.js"

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

interface TreeOptions {
  readonly filter: TreeFilter
  readonly interactive?: boolean
  readonly select?: string
  readonly summarizer?: string
  readonly instructions?: string
  /** Milliseconds. */
  readonly timeout: number
}

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
    const prices = await openPrices(context.io)
    await context.printJsonList({ ...sessionFields(session), filter }, "nodes", jsonNodes(roots, active, leaf, prices))
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
      label,
      cost,
      active: active.has(entry),
      leaf: node === leaf?.node,
    }
  }
}

function emptiness(entries: number, filter: TreeFilter): string {
  if (entries === 0) return "The session has no entries."
  return `Nothing is shown by the filter ${filter}; --filter all shows all entries (${numberText(entries)}).`
}

/**
 * Moves the leaf of a session, by the rules of `Session.navigateTo`, to the entry that is named or that the user chooses; stores the new leaf, and
 * prints it, with the text to edit below it, if there is one.
 * @throws SummaryError, SessionBusyError, EntryNotFoundError
 */
async function navigateTree(context: CommandContext, ref: string | undefined, options: TreeOptions): Promise<ExitCode> {
  const { filter, select, summarizer, timeout } = options
  const found = await findSession(context, ref)
  const opened = await openFound(context, found)
  const choice: TreeChoice | undefined =
    select !== undefined
      ? { entryId: findEntry(opened, select), summarize: true }
      : await pickInTree(context, found, opened, {
          filter,
          command: "treelog tree --interactive",
          alternatives: "`treelog tree` prints it, and `--select ENTRY` continues from an entry without asking",
          canSummarize: summarizer !== undefined,
        })
  if (!choice) return EXIT.interrupted
  const { entryId: selectedId, instructions = options.instructions } = choice
  const command = choice.summarize ? summarizer : undefined
  const { session, entryId, moved } = await withSession(context, found, async (session) => {
    const before = session.getLeafId()
    const moved =
      command === undefined
        ? await navigateTo(session, selectedId)
        : await withShellSummarizer(context, { command, timeout }, (summarize, signal) =>
            navigateTo(session, selectedId, { summarize, instructions, signal }),
          )
    if (moved.status !== "moved") throw noSummary(moved.status, command)
    const entryId = moved.summaryId ?? (moved.leafId === before ? null : session.persistLeaf())
    return { session, entryId, moved }
  })
  const { leafId: targetId, summaryId, editorText, diagnostics = [] } = moved
  const summarized = summaryId !== undefined
  if (context.options.json) {
    const summary = command !== undefined && { summarized, diagnostics }
    await context.printJson({ ...sessionFields(session), entryId, targetId, selectedId, editorText, ...summary })
    return EXIT.ok
  }
  await context.print([cleanLine(targetId ?? "root"), ...(editorText === undefined ? [] : [cleanTabbed(editorText)])])
  await printDiagnostics(context, diagnostics)
  if (command !== undefined && !summarized) await context.log("There was nothing to summarize.")
  await context.log(`The session continues ${targetId === null ? "from the beginning" : `at ${targetId}`}.`)
  return EXIT.ok
}
