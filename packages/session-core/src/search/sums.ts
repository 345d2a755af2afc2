import { type Cost, costOf, knownCost, type PriceUsage, sumOfCosts } from "../entry/cost.js"
import { addTotals, addUsages, type ModelUsage, sumOfUsages, type UsageTotals } from "../entry/usage.js"
import type { IndexedSession, SessionIndex, UsageQuery, UsageRow } from "../ports/session-index.js"
import type { ProjectOf } from "../session/listing/is-of-folder.js"
import { placeOf } from "./part-of-session.js"
import { isPeriod, periodOf } from "./period.js"

/** What a sum can be of. */
export type SumKind = NonNullable<UsageQuery["by"]>

/** A sum of tokens, and what they cost. */
export interface SumRow<Source = unknown> {
  /** The hour, day, week, month, project, agent, person, model or role, or the key of the session; empty where it is not known. */
  readonly key: string
  readonly totals: UsageTotals
  readonly cost: Cost
  /** Of a sum by session; and where it is. */
  readonly session?: IndexedSession
  readonly source?: Source
  /** What each model or project has of it, in sums that ask for it. */
  readonly shares?: readonly SumRow<never>[]
}

/** What costs that no program reported are estimated by. */
export interface Prices {
  /** The prices at a time, by default those of now. Milliseconds since 1970. */
  at(time?: number): PriceUsage
  /** When prices change: a sum over such a time has two prices. Milliseconds since 1970. */
  readonly changes: readonly number[]
}

/** How usage is summed. */
export interface SumOptions {
  /** Default: no cost is estimated. */
  readonly prices?: Prices | undefined
  /** What sums by project are of, for a folder. Default: the folder. */
  readonly projectOf?: ProjectOf | undefined
  /** What each row has its shares of. Default: none. */
  readonly shares?: "model" | "project" | undefined
}

/** How usage is summed over several sources. */
interface SourcedSums<Source> extends SumOptions {
  /** Where a session is. */
  readonly sourceOf?: (session: IndexedSession) => Source | undefined
}

/** Sums the usage of sessions, by each of the kinds. */
export async function sumUsage<Source>(
  index: Pick<SessionIndex, "usage">,
  query: Omit<UsageQuery, "by" | "per">,
  kinds: readonly SumKind[],
  { prices, projectOf = () => undefined, shares, sourceOf = () => undefined }: SourcedSums<Source> = {},
): Promise<UsageSums<Source>> {
  const sums = new UsageSums<Source>(kinds)
  const questions = questionsFor(kinds)
  const per = shares === "project" && ({ per: "session" } as const)
  for (const span of spansOf(query, prices?.changes ?? [])) {
    const price = prices?.at(span.until === undefined ? undefined : span.until - 1)
    for (const [nth, by] of questions.entries())
      for (const { key, session, usages } of await index.usage({ ...query, ...span, ...per, by })) {
        const project = projectOf(session?.cwd ?? "", () => session?.repository) ?? session?.cwd ?? ""
        const source = session && sourceOf(session)
        for (const usage of usages) {
          const cost = costOf([usage], price)
          const spent = { usage, cost, ...(shares && { share: shares === "model" ? usage.model : project }) }
          if (by === "session") {
            sums.add("session", { key, ...(session && { session }), ...(source !== undefined && { source }) }, spent)
            sums.add("project", { key: project }, spent)
          } else if (by !== "total") sums.add(by, { key }, spent)
          if (nth === 0) sums.addToAll(spent)
        }
      }
  }
  return sums
}

/** What a session used: in total, and by model and role. */
export function sumsOf(usages: readonly ModelUsage[], price?: PriceUsage): UsageSums<never> {
  const sums = new UsageSums<never>(["model"])
  for (const usage of usages) sums.addToAll({ usage, cost: costOf([usage], price) })
  return sums
}

/** Models and roles are in every answer, and projects are those of sessions. */
function questionsFor(kinds: readonly SumKind[]): SumKind[] {
  const asked = kinds.filter((kind) => kind !== "model" && kind !== "role" && kind !== "total")
  const questions = new Set(asked.map((kind) => (kind === "project" ? "session" : kind)))
  return questions.size === 0 ? ["total"] : [...questions]
}

/** Spans of time with one price each. */
function spansOf(
  { since, until }: Pick<UsageQuery, "since" | "until">,
  changes: readonly number[],
): Pick<UsageQuery, "since" | "until">[] {
  const isInside = (time: number): boolean =>
    time > (since ?? Number.NEGATIVE_INFINITY) && time < (until ?? Number.POSITIVE_INFINITY)
  const ends = [...changes.filter(isInside), until]
  return ends.map((end, at) => {
    const start = at === 0 ? since : ends[at - 1]
    return { ...(start !== undefined && { since: start }), ...(end !== undefined && { until: end }) }
  })
}

/** What calls that are alike used and cost. */
interface Spent {
  readonly usage: ModelUsage
  readonly cost: Cost
  /** The model or the project that it is a share of. */
  readonly share?: string
}

type SumName<Source> = Pick<SumRow<Source>, "key" | "session" | "source">

/** Sums of several kinds, of the same usage. */
export class UsageSums<Source = unknown> {
  readonly #tables: ReadonlyMap<SumKind, SumTable<Source>>
  readonly #roles = new SumTable<never>()
  readonly #total = new SumTable<never>()

  constructor(kinds: readonly SumKind[]) {
    this.#tables = new Map(kinds.map((kind) => [kind, new SumTable<Source>()]))
  }

  /** Times in their order; of anything else, the dearest first. */
  rows(kind: SumKind): SumRow<Source>[] {
    return this.#tables.get(kind)?.rows(kind) ?? []
  }

  /** All of it together. */
  get total(): SumRow<never> {
    return this.#total.rows("total")[0] ?? { key: "total", totals: sumOfUsages([]), cost: costOf([]) }
  }

  /** What the parts of sessions used, by their role, such as `subagent`. */
  get parts(): SumRow<never>[] {
    return this.#roles.rows("role")
  }

  add(kind: SumKind, name: SumName<Source>, spent: Spent): void {
    this.#tables.get(kind)?.add(name, spent)
  }

  /** Adds to what does not depend on a session or a time. */
  addToAll(spent: Spent): void {
    const { usage, cost } = spent
    const { model, role } = usage
    this.#total.add({ key: "total" }, { usage, cost })
    if (role !== undefined) this.#roles.add({ key: role }, { usage, cost })
    this.add("total", { key: "total" }, spent)
    this.add("model", { key: model }, spent)
    this.add("role", { key: role ?? "" }, spent)
  }
}

interface Sum<Source> {
  readonly name: SumName<Source>
  readonly totals: UsageTotals
  readonly costs: Cost[]
  readonly shares?: SumTable<never>
}

class SumTable<Source> {
  readonly #sums = new Map<string, Sum<Source>>()

  add(name: SumName<Source>, { share, ...spent }: Spent): void {
    const { key, session } = name
    // Sources may have the same key.
    const of = session ? placeOf(session) : key
    let sum = this.#sums.get(of)
    if (!sum) {
      sum = { name, totals: sumOfUsages([]), costs: [], ...(share !== undefined && { shares: new SumTable<never>() }) }
      this.#sums.set(of, sum)
    }
    addTotals(sum.totals, spent.usage.usage)
    sum.costs.push(spent.cost)
    if (share !== undefined) sum.shares?.add({ key: share }, spent)
  }

  rows(kind: SumKind): SumRow<Source>[] {
    const rows = [...this.#sums.values()].map(
      ({ name, totals, costs, shares }): SumRow<Source> => ({
        ...name,
        totals,
        cost: sumOfCosts(costs),
        ...(shares && { shares: shares.rows("model") }),
      }),
    )
    return rows.sort(isPeriod(kind) ? byKey : byCost)
  }
}

type Keyed = Pick<SumRow, "key" | "session">

/** Of one key, that of the first source. */
function byKey(a: Keyed, b: Keyed): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1
  return (a.session?.source ?? "") < (b.session?.source ?? "") ? -1 : 1
}

function byCost(a: SumRow, b: SumRow): number {
  return knownCost(b.cost) - knownCost(a.cost) || b.totals.totalTokens - a.totals.totalTokens || byKey(a, b)
}

/**
 * What a sum is of.
 * @param time milliseconds since 1970; 0 for none
 * @param session needed where sums are of what is known of sessions
 */
export function usageKey(
  by: UsageQuery["by"],
  time: number,
  { model, role = "" }: ModelUsage,
  session: IndexedSession | undefined,
): string {
  if (isPeriod(by)) return periodOf(time, by)
  if (by === "role" || by === "model") return by === "role" ? role : model
  if (by === "agent") return session?.agent ?? ""
  if (by === "person") return session?.person ?? ""
  return by === "project" ? (session?.cwd ?? "") : by === "session" ? (session?.key ?? "") : "total"
}

/** Collects the rows of the answer of an index. */
export class UsageRows {
  readonly #query: Pick<UsageQuery, "by" | "per">
  readonly #rows = new Map<string, Omit<UsageRow, "totals" | "usages"> & { readonly usages: ModelUsage[] }>()

  constructor(query: Pick<UsageQuery, "by" | "per">) {
    this.#query = query
  }

  /** @param session whose usage it is: needed where the rows are of sessions */
  add(key: string, usage: ModelUsage, session?: IndexedSession): void {
    const { by, per } = this.#query
    const of = by === "session" || per === "session" ? session : undefined
    const name = of ? `${key}\n${placeOf(of)}` : key
    const row = this.#rows.get(name) ?? { key, ...(of && { session: of }), usages: [] }
    this.#rows.set(name, row)
    addUsages(row.usages, [usage])
  }

  /** Times in their order; of anything else, the dearest first. */
  sorted(): UsageRow[] {
    const rows = [...this.#rows.values()].map((row) => ({ ...row, totals: sumOfUsages(row.usages) }))
    return rows.sort(isPeriod(this.#query.by) ? byKey : byReported)
  }
}

function byReported(a: UsageRow, b: UsageRow): number {
  return b.totals.cost - a.totals.cost || b.totals.totalTokens - a.totals.totalTokens || byKey(a, b)
}
