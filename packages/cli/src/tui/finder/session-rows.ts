import type { SessionInfo } from "@treelog/session-core"
import { compareRecency, titleLine } from "@treelog/session-core/adapter"
import { foldText, type PriceUsage, type SearchHit } from "@treelog/session-core/search"
import { agentOf, type Copy, type ListedSession, type ProjectFolders } from "@treelog/stores"
import { listedCostText, plural, sizeText } from "@treelog-internal/text"
import { withoutPath } from "../../render/result-lines.js"
import { agentText, statusText } from "../../render/session-table.js"
import type { SaidTerms } from "../../search/sessions-saying.js"
import type { CommandSource } from "../../sessions/open-library.js"
import type { FinderScope, Found, Source } from "./found.js"

export const SESSION_SORTS = ["activity", "name", "created"] as const

export type SessionSort = (typeof SESSION_SORTS)[number]

/** A conversation, and what it is found by. */
interface Row {
  readonly source: CommandSource
  readonly info: SessionInfo
  readonly copies: readonly Copy<CommandSource>[]
  readonly title: string
  readonly folded: Folded
  /** It belongs to the project of the folder. */
  readonly isHere: boolean
}

interface Folded {
  readonly title: string
  /** All that it is found by: title, first message, id. */
  readonly all: string
}

/** Conversations as they are listed, and what of them a query finds. */
export class SessionRows {
  readonly #sort: SessionSort
  readonly #isNamedOnly: boolean
  /** By the path of the copy that is shown. */
  readonly #rows = new Map<string, Row>()
  /** In order; undefined where a row is new. */
  #sorted: Row[] | undefined

  constructor(sort: SessionSort = "activity", isNamedOnly = false) {
    this.#sort = sort
    this.#isNamedOnly = isNamedOnly
  }

  /** Takes the place of what was put of other copies. @param isHere it belongs to the project of the folder */
  put({ source, copies, ...info }: ListedSession<CommandSource>, isHere: boolean): void {
    const known = [info, ...copies].flatMap(({ path }) => this.#rows.get(path) ?? [])
    for (const { info } of known) this.#rows.delete(info.path)
    const title = titleLine(info.name ?? info.firstMessage)
    let folded: Folded | undefined
    this.#rows.set(info.path, {
      source,
      info,
      copies,
      title,
      isHere: isHere || known.some((one) => one.isHere),
      // Without a query, it is not asked for.
      get folded() {
        folded ??= foldedOf(info, title)
        return folded
      },
    })
    this.#sorted = undefined
  }

  /** @returns what is listed no more */
  drop(path: string): Row | undefined {
    const row = this.#rows.get(path)
    this.#rows.delete(path)
    this.#sorted = undefined
    return row
  }

  get(path: string): Row | undefined {
    return this.#rows.get(path)
  }

  /** How many belong to a scope. */
  count(scope: FinderScope): number {
    return this.#inScope(scope).length
  }

  /**
   * What has each term in its title, its first message or its id, or has said it: first the title that is the query, then titles that
   * begin with it, then those that have its words, then sessions in which one message has them, then the others; each in the order of the
   * list. Without a term, all in that order.
   */
  matching(query: string, terms: readonly string[], said: SaidTerms, scope: FinderScope): Match[] {
    const whole = foldText(query.trim())
    const ranks: Match[][] = [[], [], [], [], []]
    for (const row of this.#inScope(scope)) {
      const hits: SearchHit[] = []
      const hitIn = (found: ReadonlyMap<string, SearchHit> | undefined) =>
        [row.info, ...row.copies].map(({ path }) => found?.get(path)).find((hit) => hit !== undefined)
      const together = hitIn(said.together)
      const isHeld = terms.every((term) => {
        if (row.folded.title.includes(term)) return true
        const hit = hitIn(said.each.get(term))
        if (hit) hits.push(hit)
        return hit !== undefined || row.folded.all.includes(term)
      })
      if (!isHeld) continue
      const rank = terms.length === 0 ? 0 : rankOf(row.folded.title, whole, terms, together !== undefined)
      ranks[rank]?.push({ row, hit: hits.length === 0 ? undefined : (together ?? hits[0]) })
    }
    return ranks.flat()
  }

  #inScope(scope: FinderScope): Row[] {
    this.#sorted ??= [...this.#rows.values()].sort(ORDERS[this.#sort])
    return this.#sorted.filter(
      ({ isHere, info }) => (scope === "all" || isHere) && (!this.#isNamedOnly || info.name !== undefined),
    )
  }
}

interface Match {
  readonly row: Row
  /** What the index found, where the title does not show it. */
  readonly hit: SearchHit | undefined
}

function foldedOf({ name = "", firstMessage, id }: SessionInfo, title: string): Folded {
  // A line end between them: a term never spans two.
  return { title: foldText(title), all: foldText(`${name}\n${firstMessage}\n${id}`) }
}

function rankOf(title: string, whole: string, terms: readonly string[], isSaidTogether: boolean): number {
  if (title === whole) return 0
  if (title.startsWith(whole)) return 1
  if (terms.every((term) => title.includes(term))) return 2
  return isSaidTogether ? 3 : 4
}

/** A match as a row. @param price estimates a cost where none was reported */
export function sessionFound(
  { row, hit }: Match,
  price: PriceUsage,
  projectOf: ProjectFolders["titleOf"] = (cwd) => cwd,
): Found<Source> {
  const { source, info, copies, title } = row
  const { messageCount, size, id } = info
  const store = nameOf(source)
  const agent = agentText(
    copies.length > 0 ? store : agentOf(info, { madeBy: store }),
    copies.map((copy) => nameOf(copy.source)),
  )
  return {
    source: { kind: "session", store: source, info, ...(hit && { hit }) },
    key: info.path,
    time: info.modified,
    title,
    isNamed: info.name !== undefined,
    snippet: hit?.snippet,
    // Thousands of rows are found for each letter; what only rows on the screen show is written when it is read.
    get cost() {
      return listedCostText(info, price)
    },
    agent,
    cwd: info.cwd,
    project: projectOf(info.cwd, () => info.repository),
    get facts() {
      return [messageCount === undefined ? "" : plural(messageCount, "message"), sizeText(size), statusText(info), id]
    },
    id,
    error: info.error && withoutPath(info.error.message, info.path),
  }
}

function nameOf({ program = "" }: CommandSource): string {
  return program
}

type Order = (a: Row, b: Row) => number

const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" })

/** Sessions that cannot be read cannot be picked: they are last. */
const byHealth: Order = (a, b) => Number(a.info.error !== undefined) - Number(b.info.error !== undefined)
const byPath: Order = (a, b) => (a.info.path < b.info.path ? -1 : a.info.path === b.info.path ? 0 : 1)
const byActivity: Order = (a, b) => byHealth(a, b) || compareRecency(a.info, b.info) || byPath(a, b)

/** Newest first; names from A to Z, and behind them the sessions without one. */
const ORDERS: Readonly<Record<SessionSort, Order>> = {
  activity: byActivity,
  created: (a, b) => byHealth(a, b) || b.info.created - a.info.created || byPath(a, b),
  name: (a, b) => {
    const [one, other] = [a.info.name, b.info.name]
    if (one === undefined || other === undefined) return one === other ? byActivity(a, b) : one === undefined ? 1 : -1
    return NAMES.compare(one, other) || byActivity(a, b)
  },
}
