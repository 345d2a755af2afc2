import type { Diagnostic } from "../entry/diagnostic.js"
import { isEntry, type SessionEntry } from "../entry/entry.js"
import type { EntryTree } from "./entry-tree.js"

/** The messages of a branch, by their places in the file. */
interface Side {
  readonly first: number
  last: number
  answers: number
}

/**
 * Answers that are not on the way to the leaf, and were written while that was: two processes had the session, and its agent shows one of them. What
 * was left before the way to the leaf went on from the same entry is none of them: somebody went back. For sessions of agents: in others, people go back
 * and forth between branches.
 * @param roles of the messages, by the numbers of their entries; undefined of an entry that is no message
 */
export function concurrentBranches(
  tree: EntryTree,
  leafId: string | null,
  roles: readonly (string | undefined)[],
): Diagnostic[] {
  const leaf = leafId === null ? undefined : tree.ordinalOf(leafId)
  if (leaf === undefined) return []
  const path = tree.pathTo(leaf)
  const places = new Map(path.map((ordinal, at) => [ordinal, at]))
  /** The entry behind which an entry leaves the path: its place there, or -1 of another root. */
  const tops = new Map<number, number>()
  const sides = new Map<number, Side>()
  for (let ordinal = 0; ordinal < tree.size; ordinal++) {
    if (places.has(ordinal)) continue
    const role = roles[ordinal]
    const top = topOf(tree, ordinal, places, tops)
    if (role === undefined) continue
    const side = sides.get(top) ?? { first: ordinal, last: ordinal, answers: 0 }
    side.last = ordinal
    if (role === "assistant") side.answers += 1
    sides.set(top, side)
  }
  const messages = path.filter((ordinal) => roles[ordinal] !== undefined)
  const last = messages.at(-1) ?? -1
  return [...sides].flatMap(([top, side]): Diagnostic[] => {
    const parent = tree.parentOf(top)
    const from = parent === undefined ? -1 : (places.get(parent) ?? -1)
    const first = messages.find((ordinal) => (places.get(ordinal) ?? -1) > from)
    if (first === undefined || side.answers === 0 || side.first > last || side.last < first) return []
    const entryId = tree.headAt(side.last).id
    const answers = `${side.answers} ${side.answers === 1 ? "answer" : "answers"}`
    const message = `Another process wrote ${answers}, up to entry ${entryId}, while the branch went on that the agent shows: it shows them no more.`
    return [{ kind: "concurrent-branch", entryId, message }]
  })
}

/** The first entry on the way from the path to an entry. */
function topOf(
  tree: EntryTree,
  ordinal: number,
  places: ReadonlyMap<number, number>,
  tops: Map<number, number>,
): number {
  const walked: number[] = []
  let at = ordinal
  let top = tops.get(at)
  while (top === undefined) {
    walked.push(at)
    const parent = tree.parentOf(at)
    top = parent === undefined || places.has(parent) ? at : tops.get(parent)
    if (top === undefined && parent !== undefined) at = parent
  }
  for (const one of walked) tops.set(one, top)
  return top
}

/** Who says the message of an entry; undefined of an entry that is no message. */
export function roleOf(entry: SessionEntry): string | undefined {
  return isEntry(entry, "message") ? entry.message.role : undefined
}
