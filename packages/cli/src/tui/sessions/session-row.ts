import type { SessionInfo } from "@treelog/session-core"
import { compareRecency } from "@treelog/session-core/adapter"
import { foldText } from "@treelog/session-core/prompt-history"
import type { SaidTerms } from "../../search/sessions-saying.js"

/** A session, and what it is found by. */
export interface SessionRow {
  readonly info: SessionInfo
  /** Name, first message and id, folded. */
  readonly folded: string
  /** It cannot be read, and lies where sessions of the project lie. */
  readonly isInBucket: boolean
}

export function sessionRow(info: SessionInfo, isInBucket: boolean): SessionRow {
  const { name = "", firstMessage, id } = info
  // A line end between them: a term never spans two.
  return { info, folded: foldText(`${name}\n${firstMessage}\n${id}`), isInBucket }
}

/** The name of a session, or else its first message, as stored. */
export function titleOf({ name, firstMessage }: SessionInfo): string {
  return name ?? firstMessage
}

/** Which sessions the picker shows. */
export type SessionScope = "project" | "all"

export const SESSION_SORTS = ["activity", "name", "created"] as const

export type SessionSort = (typeof SESSION_SORTS)[number]

/** Which sessions are shown, in which order, and how. */
export interface SessionView {
  readonly scope: SessionScope
  readonly sort: SessionSort
  /** Only those that have a name. */
  readonly named: boolean
  /** Show where they are stored. */
  readonly paths: boolean
}

/** Whether a session belongs to a scope. For a session that cannot be read, only its folder decides. */
export function isInScope({ info, isInBucket }: SessionRow, scope: SessionScope, cwd: string): boolean {
  return scope === "all" || (info.error ? isInBucket : info.cwd === cwd)
}

/** Whether each term occurs in the name, the first message or the id of the session, or was said in it. */
export function holdsEvery({ folded, info }: SessionRow, terms: readonly string[], said: SaidTerms): boolean {
  return terms.every((term) => folded.includes(term) || said.get(term)?.has(info.path))
}

type Order = (a: SessionRow, b: SessionRow) => number

const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" })

/** Sessions that cannot be read cannot be picked: they are last. */
const byHealth: Order = (a, b) => Number(a.info.error !== undefined) - Number(b.info.error !== undefined)
const byPath: Order = (a, b) => (a.info.path < b.info.path ? -1 : a.info.path === b.info.path ? 0 : 1)
const byActivity: Order = (a, b) => byHealth(a, b) || compareRecency(a.info, b.info) || byPath(a, b)

/** Newest first; names from A to Z, and behind them the sessions without one. */
export const ORDERS: Readonly<Record<SessionSort, Order>> = {
  activity: byActivity,
  created: (a, b) => byHealth(a, b) || b.info.created - a.info.created || byPath(a, b),
  name: (a, b) => {
    const [one, other] = [a.info.name, b.info.name]
    if (one === undefined || other === undefined) return one === other ? byActivity(a, b) : one === undefined ? 1 : -1
    return NAMES.compare(one, other) || byActivity(a, b)
  },
}

/** Puts rows among others that are in order already: listings bring them a few at a time. */
export function merged(sorted: readonly SessionRow[], rows: readonly SessionRow[], order: Order): SessionRow[] {
  const added = [...rows].sort(order)
  const all: SessionRow[] = []
  let at = 0
  for (const row of sorted) {
    for (let next = added[at]; next && order(next, row) < 0; next = added[++at]) all.push(next)
    all.push(row)
  }
  return all.concat(added.slice(at))
}
