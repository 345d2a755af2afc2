import type { IndexedSession } from "../ports/session-index.js"

/**
 * Whether a session comes before another in answers, so that an entry which both have is its: it is older. Of one time, a session comes
 * before its forks, and otherwise one that is no fork; then their keys decide.
 */
export function isBefore(a: IndexedSession, b: IndexedSession): boolean {
  if (a.created !== b.created) return a.created < b.created
  const [isParent, isFork] = [names(b.parentSession, a), names(a.parentSession, b)]
  if (isParent !== isFork) return isParent
  if ((a.parentSession === undefined) !== (b.parentSession === undefined)) return a.parentSession === undefined
  return a.key < b.key
}

/** A fork names its source by its id, or by its path. */
function names(parent: string | undefined, { id, key }: IndexedSession): boolean {
  return parent !== undefined && (parent === id || parent === key || (id !== "" && parent.endsWith(`_${id}.jsonl`)))
}
