import { isEntry, type SessionEntry } from "@treelog/session-core"
import { concurrentBranches, EntryTree, sourceOf } from "@treelog/session-core/adapter"
import { entryLine, numberText, TREE_FILTERS, type TreeFilter } from "@treelog-internal/text"
import type { CommandDefinition } from "../define/command.js"
import { INSTRUCTIONS, NEWEST_OR, TIMEOUT } from "../define/shared-options.js"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { commandLine } from "../io/shell-command.js"
import { shortEntryIds } from "../render/short-ids.js"
import { type ShownLeaf, shownLeaf, treeLines, treeView, type ViewNode, viewRows } from "../render/tree-lines.js"
import { openForReading } from "../sessions/open-to-read-or-write.js"
import { type DatedPrices, openPrices } from "../sessions/prices.js"
import { entryCost } from "../sessions/session-cost.js"
import { navigateTree } from "./tree/navigate-tree.js"
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
