import { kindOf, type SessionEntry } from "@treelog/session-core"
import type { CommandContext } from "../command-context.js"
import { EXIT, type ExitCode } from "../exit-codes.js"
import { openForReading } from "../open-session.js"
import { entryLine } from "../render/entry-line.js"
import { shortEntryIds } from "../render/short-ids.js"
import { type ShownLeaf, treeLines } from "../render/tree-lines.js"
import { treeRows } from "../render/tree-rows.js"
import { type TreeFilter, treeView, type ViewNode } from "../render/tree-view.js"

export interface TreeOptions {
  readonly filter: TreeFilter
}

export async function tree(
  context: CommandContext,
  ref: string | undefined,
  { filter }: TreeOptions,
): Promise<ExitCode> {
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
    await context.printJsonList(head, "nodes", jsonNodes(roots, active, leaf))
    return EXIT.ok
  }
  const shortId = shortEntryIds(session)
  await context.print(treeLines(roots, { style: context.style, shortId, active, leaf }))
  if (roots.length === 0) await context.say(emptiness(session.getEntries().length, filter))
  return EXIT.ok
}

function shownLeaf(
  roots: readonly ViewNode[],
  branch: readonly SessionEntry[],
  active: ReadonlySet<SessionEntry>,
): ShownLeaf | undefined {
  let node: ViewNode | undefined
  let next = roots.find(({ entry }) => active.has(entry))
  while (next) {
    node = next
    next = next.children.find(({ entry }) => active.has(entry))
  }
  return (
    node && {
      node,
      below: branch.slice(branch.lastIndexOf(node.entry) + 1).some((entry) => kindOf(entry).conversation),
    }
  )
}

/** The nodes from top to bottom, flat: a tree may be deeper than JSON can nest. */
function* jsonNodes(
  roots: readonly ViewNode[],
  active: ReadonlySet<SessionEntry>,
  leaf: ShownLeaf | undefined,
): Generator<object> {
  for (const { node } of treeRows(roots)) {
    const { entry, label, parent } = node
    yield {
      id: entry.id,
      parentId: parent?.entry.id ?? null,
      type: entry.type,
      timestamp: entry.timestamp,
      ...entryLine(entry),
      ...(label !== undefined && { label }),
      active: active.has(entry),
      leaf: node === leaf?.node,
    }
  }
}

function emptiness(entries: number, filter: TreeFilter): string {
  if (entries === 0) return "The session has no entries."
  return `Nothing is shown by the filter ${filter}; --filter all shows all entries (${entries}).`
}
