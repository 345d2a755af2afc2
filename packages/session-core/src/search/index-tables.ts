import type { IndexedSession } from "../ports/session-index.js"
import type { PartOfSession, StorageStat } from "../ports/session-source.js"
import { type ErrorInfo, isNoSession } from "../session/listing/session-info.js"
import type { ReadMark } from "../session/reader/resume-reading.js"
import type { PlacedFacts } from "./entry-facts.js"

/** What an index knows of a session: how far it was read, and what it was then. Plain JSON. */
export interface IndexedState {
  readonly session: IndexedSession
  /** Of the session when it was read. */
  readonly stat: StorageStat
  readonly mark: ReadMark
  /** The name of the session at the mark: a last line without a line end is read again. */
  readonly nameAtMark: string
  /** Whether all of the session is indexed, not only what precedes the mark. */
  readonly isWhole: boolean
  /** Whether the session had been left alone for a moment: what is written within one tick of a clock has one time. */
  readonly isSettled: boolean
  /** Why it is no session. */
  readonly error?: ErrorInfo
  /** Whether only what it used is indexed, as an update may be asked for: `stat` is then that of `SessionUsage`. */
  readonly isUsageAlone?: true
}

/** A change of an index, which happens as a whole or not at all. */
export interface IndexChange {
  /** What the index must still know of the session; undefined if nothing. */
  readonly former: IndexedState | undefined
  readonly state: IndexedState
  /** They take the place of all facts that stand at `from` or behind it. In the order of the session. */
  readonly facts: readonly PlacedFacts[]
  /** Bytes. */
  readonly from: number
}

/** Where `updateIndex` keeps what it derives: the part of an index that differs between implementations. */
export interface IndexTables {
  /**
   * The `settledStat` of each session of a source, by its key: most do not change, so that nothing else of them is needed. The caller may change
   * the map.
   */
  settledStats(source: string): Promise<Map<string, string>> | Map<string, string>
  /** What is known of a session. */
  state(session: Pick<IndexedSession, "key" | "source">): Promise<IndexedState | undefined> | IndexedState | undefined
  /** @returns false, and changes nothing, when another has changed the state of the session meanwhile */
  put(change: IndexChange): Promise<boolean> | boolean
  /** @returns the same */
  remove(former: IndexedState): Promise<boolean> | boolean
  /** Lets what was put be found, if it is held back. More may be put meanwhile. What fails here fails what is called later, too. */
  flush?(): Promise<void>
}

/** Changes within so long may have the same time. Milliseconds. */
const TICK = 2_000

/** Whether a session was left alone for so long that a change from now on shows in its state. @param now milliseconds since 1970 */
export function isLeftAlone({ modified }: StorageStat, now: number): boolean {
  return now - modified > TICK
}

/** The state of a session as a text, to compare. */
export function statText({ identity, size, modified }: StorageStat): string {
  return `${size} ${modified} ${identity}`
}

/** The state of a session, and what it is a part of, as a text, to compare. */
export function foundText(stat: StorageStat, part: PartOfSession | undefined): string {
  return part ? `${statText(stat)} ${part.of}` : statText(stat)
}

/** The state of a session of which only usage is indexed, and what it is a part of: a text that equals no `foundText`. */
export function usageText(source: StorageStat, part: PartOfSession | undefined): string {
  return `usage ${foundText(source, part)}`
}

/**
 * The `foundText` with which a session need not be read, since it is indexed as a whole, or the `usageText`, with which its usage need not; empty if it
 * has to be read in any case.
 */
export function settledStat(state: IndexedState): string {
  const { session, stat, isWhole, isSettled, isUsageAlone } = state
  if (!isSettled || faultOf(state)) return ""
  if (isUsageAlone) return usageText(stat, session.part)
  return isWhole ? foundText(stat, session.part) : ""
}

/**
 * Whether a change, or a removal, can be made: what it is based on is still known, or only what the session used, which all of the session replaces.
 */
export function isBasedOn(
  known: IndexedState | undefined,
  {
    former,
    state,
    from,
  }: { readonly [Field in "former" | "state"]?: IndexedState | undefined } & { readonly from?: number },
): boolean {
  const isReplaced = known?.isUsageAlone === true && state !== undefined && !state.isUsageAlone && from === 0
  return isReplaced || isSameState(known, former)
}

/** Why a session cannot be read. A file beside a session that is no transcript is an artifact, and no fault. */
export function faultOf({ session, error }: IndexedState): ErrorInfo | undefined {
  return session.part && error && isNoSession(error) ? undefined : error
}

/** Whether both describe the same state of a session. */
function isSameState(a: IndexedState | undefined, b: IndexedState | undefined): boolean {
  if (!a || !b) return a === b
  return isSameStat(a.stat, b.stat) && a.mark.size === b.mark.size && a.isWhole === b.isWhole
}

export function isSameStat(a: StorageStat, b: StorageStat): boolean {
  return a.identity === b.identity && a.size === b.size && a.modified === b.modified
}
