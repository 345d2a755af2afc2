import type { Diagnostic } from "../entry/diagnostic.js"
import type { EntryTree } from "./entry-tree.js"

/**
 * Answers that are not on the way to the leaf, and were written while that was: two processes had the session, and its agent shows one of them. What
 * was left before the way to the leaf went on from the same entry is none of them: the user went back. For sessions of agents: in others, people go back
 * and forth between branches.
 * @param roles of the messages, by the ordinals of their entries; undefined of an entry that is no message
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
  const tops = new Map<number, number>()
  const sides = new Map<number, { readonly first: number; last: number; answers: number }>()
  for (const [ordinal, role] of roles.entries()) {
    if (role === undefined || places.has(ordinal)) continue
    const top = topOf(tree, ordinal, places, tops)
    const side = sides.get(top) ?? { first: ordinal, last: ordinal, answers: 0 }
    side.last = ordinal
    if (role === "assistant") side.answers += 1
    sides.set(top, side)
  }
  const messages = path.filter((ordinal) => roles[ordinal] !== undefined)
  const last = messages.at(-1) ?? -1
  return [...sides].flatMap(([top, side]): Diagnostic[] => {
    const from = places.get(tree.parentOf(top) ?? -1) ?? -1
    const first = messages.find((ordinal) => (places.get(ordinal) ?? -1) > from)
    if (first === undefined || side.answers === 0 || side.first > last || side.last < first) return []
    const entryId = tree.headAt(side.last).id
    const answers = `${side.answers} ${side.answers === 1 ? "answer" : "answers"}`
    const message = `Another process wrote ${answers}, up to entry ${entryId}, while the branch went on that the agent shows: it shows them no more.`
    return [{ kind: "concurrent-branch", entryId, message }]
  })
}

/** The first entry on the way from a path to an entry. @param tops those that are known */
function topOf(tree: EntryTree, ordinal: number, path: ReadonlyMap<number, number>, tops: Map<number, number>): number {
  const walked: number[] = []
  let at = ordinal
  let top = tops.get(at)
  while (top === undefined) {
    walked.push(at)
    const parent = tree.parentOf(at)
    if (parent === undefined || path.has(parent)) top = at
    else {
      top = tops.get(parent)
      at = parent
    }
  }
  for (const one of walked) tops.set(one, top)
  return top
}
