import type { IndexedSession } from "../ports/session-index.js"
import { placeOf } from "./part-of-session.js"

/** What decides, before their age does, which of several copies of an entry counts. */
export interface CopySource {
  readonly agent: string
  /** What an agent made itself comes before copies: 0 for sessions that are converted, 1 for those of other stores, 2 for those of treelog's own. */
  readonly rank: number
}

const UNKNOWN: CopySource = { agent: "", rank: 0 }

/** Decides which of several copies of an entry counts, of an index with these sources. */
export class CopyOrder {
  readonly #sources: ReadonlyMap<string, CopySource>

  /** @param sources by their names */
  constructor(sources: ReadonlyMap<string, CopySource>) {
    this.#sources = sources
  }

  /** Whether an entry that both have counts in the first. */
  isBefore(a: IndexedSession, b: IndexedSession): boolean {
    const [first, second] = [this.#of(a).rank, this.#of(b).rank]
    return first === second ? isBefore(a, b) : first < second
  }

  /** Whether one may be a copy of the other: what two agents have that are converted is not, though their ids may be equal. */
  mayShare(a: IndexedSession, b: IndexedSession): boolean {
    const [first, second] = [this.#of(a), this.#of(b)]
    return first.rank > 0 || second.rank > 0 || first.agent === second.agent
  }

  #of({ source = "" }: IndexedSession): CopySource {
    return this.#sources.get(source) ?? UNKNOWN
  }
}

/**
 * Whether a session comes before another in answers, so that an entry which both have is its: it is older. Of one time, a session comes
 * before its forks, and otherwise one that is no fork; then the one with the shorter key, since backups have longer names; then their keys decide.
 */
function isBefore(a: IndexedSession, b: IndexedSession): boolean {
  if (a.created !== b.created) return a.created < b.created
  const [isParent, isFork] = [names(b.parentSession, a), names(a.parentSession, b)]
  if (isParent !== isFork) return isParent
  if ((a.parentSession === undefined) !== (b.parentSession === undefined)) return a.parentSession === undefined
  if (a.key.length !== b.key.length) return a.key.length < b.key.length
  return a.key === b.key ? (a.source ?? "") < (b.source ?? "") : a.key < b.key
}

/** Sorts sessions by age: see `isBefore`. */
export function oldestFirst(a: IndexedSession, b: IndexedSession): number {
  if (placeOf(a) === placeOf(b)) return 0
  return isBefore(a, b) ? -1 : 1
}

/** A fork names its source by its id, or by its path. */
function names(parent: string | undefined, { id, key }: IndexedSession): boolean {
  return parent !== undefined && (parent === id || parent === key || (id !== "" && parent.endsWith(`_${id}.jsonl`)))
}
