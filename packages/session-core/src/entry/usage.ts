import { isEntry, type SessionEntry } from "./entry.js"
import { openedParts, resultsIn } from "./part.js"
import { modelName } from "./settings.js"
import { isJsonObject, type JsonObject, valueText } from "./values.js"

/** Tokens and cost, as programs reported them. */
export interface UsageTotals {
  /** How many answers, summaries and other calls reported a usage. */
  calls: number
  /** Tokens; so are the next four. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  totalTokens: number
  /** What programs reported, in the currency of the providers' prices, US dollars as a rule; `costOf` adds what can be estimated. */
  cost: number
  /** Of `cacheWrite`, what was written for an hour. Tokens. This and the next three are only there where they were reported. */
  cacheWrite1h?: number
  /** Of `output`, what was reasoning. Tokens. */
  reasoning?: number
  /** Searches of the web by the provider. */
  webSearches?: number
  /** Requests that a provider bills by number (xcsh). */
  premiumRequests?: number
}

const RARE_COUNTS = ["cacheWrite1h", "reasoning", "webSearches", "premiumRequests"] as const

function noUsage(): UsageTotals {
  return { calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: 0 }
}

/** Adds to a sum. By name: sums of thousands of sessions add some hundred thousand counts. */
export function addTotals(sum: UsageTotals, more: UsageTotals): void {
  sum.calls += more.calls
  sum.input += more.input
  sum.output += more.output
  sum.cacheRead += more.cacheRead
  sum.cacheWrite += more.cacheWrite
  sum.totalTokens += more.totalTokens
  sum.cost += more.cost
  for (const part of RARE_COUNTS) {
    const count = more[part]
    if (count !== undefined) sum[part] = (sum[part] ?? 0) + count
  }
}

/** What a model is called where none is named, as for a compaction. It has no price. */
export const UNKNOWN_MODEL = "unknown"

/** What a call used, or the sum of calls that are alike in all that decides about their price. */
export interface ModelUsage {
  /** `"provider/model"`, or `"unknown"`. */
  readonly model: string
  /** The largest of `INPUT_STEPS` that the input of each call is above; missing where it is above none, or a cost was reported. Tokens. */
  readonly inputAbove?: number
  /** The role of the part of the session that used it, such as `subagent`. */
  readonly role?: string
  /** How the provider served it, where that was not the standard and no cost was reported: `"fast"`, `"priority"`, `"flex"`, `"batch"`, `"us"`. */
  readonly serviceTier?: string
  /** The cost is above 0 where the program reported one. */
  readonly usage: UsageTotals
}

/** The sizes of an input, cached tokens included, at which prices change. Tokens. */
export const INPUT_STEPS: readonly number[] = [32_000, 100_000, 128_000, 200_000, 256_000, 272_000, 512_000]

/** Adds to a list of sums: to the one of calls that are alike, or as another one. */
export function addUsages(sums: ModelUsage[], more: readonly ModelUsage[]): void {
  for (const one of more) {
    const alike = sums.find((sum) => isAlike(sum, one))
    if (alike) addTotals(alike.usage, one.usage)
    else sums.push({ ...one, usage: { ...one.usage } })
  }
}

function isAlike(a: ModelUsage, b: ModelUsage): boolean {
  return (
    a.model === b.model &&
    a.role === b.role &&
    a.inputAbove === b.inputAbove &&
    a.serviceTier === b.serviceTier &&
    a.usage.cost > 0 === b.usage.cost > 0
  )
}

/** The sum of a list of sums; zeros for none. */
export function sumOfUsages(usages: readonly Pick<ModelUsage, "usage">[]): UsageTotals {
  const sum = noUsage()
  for (const { usage } of usages) addTotals(sum, usage)
  return sum
}

/**
 * What an entry reports that it used: of its own, and in its message. A usage of zeros, as that of a failed call, reports nothing; neither does what omp
 * imported of Claude Code, where it was used.
 * @param parts the names of the parts of the session: what they used stands there, and not in the results of the calls that began them
 */
export function usagesOf(entry: SessionEntry, parts: ReadonlySet<string> = NO_PARTS): ModelUsage[] {
  if (IMPORTED.test(entry.id)) return []
  const reports = [entry as unknown as JsonObject]
  const { type, childUsage } = reports[0] as JsonObject
  // prime-agent writes what each sub-agent used, whose transcript is elsewhere; `aggregateUsage` beside it has that of the target again.
  if (type === "child_usage_attributed") reports.push({ type: "usage", usage: childUsage, role: "subagent" })
  if (isEntry(entry, "message") && isJsonObject(entry.message)) reports.push(...reportsIn(entry.message, parts))
  return reports.flatMap(({ type, usage, provider, model, role }) => {
    const reported = reportedUsage(usage, reportedModel(provider, model))
    const ofPart = type === "usage" && typeof role === "string" && role !== "" && { role }
    return reported ? [{ ...reported, ...ofPart }] : []
  })
}

/** The ids that omp gives what it imports of Claude Code: each line of a reply becomes one, with the usage of the whole reply. */
const IMPORTED = /^claude-(?:[0-9a-f-]{36}|line-\d+)-message-\d/

/** A stored usage; undefined where it reports nothing. */
export function reportedUsage(usage: unknown, model = UNKNOWN_MODEL): ModelUsage | undefined {
  if (!isJsonObject(usage)) return undefined
  const totals = totalsOf(usage)
  if (!(totals.totalTokens > 0 || totals.cost > 0 || totals.premiumRequests !== undefined)) return undefined
  // Nothing else decides about what it cost.
  if (totals.cost > 0) return { model, usage: totals }
  const input = totals.input + totals.cacheRead + totals.cacheWrite
  const inputAbove = INPUT_STEPS.filter((step) => input > step).at(-1)
  const { serviceTier } = usage
  return {
    model,
    ...(inputAbove !== undefined && { inputAbove }),
    ...(typeof serviceTier === "string" && serviceTier !== "" && serviceTier !== "standard" && { serviceTier }),
    usage: totals,
  }
}

const NO_PARTS: ReadonlySet<string> = new Set()

/** xcsh and omp keep what a tool's own calls to models used in the details of its result; of several sub-agents, also of each. */
function reportsIn(message: JsonObject, parts: ReadonlySet<string>): JsonObject[] {
  const { role, usage, details } = message
  if (role !== "toolResult" || usage !== undefined || !isJsonObject(details)) return [message]
  const counted = openedParts(message).filter(({ name }) => parts.has(name))
  if (counted.length === 0) return [details]
  return counted.length === openedParts(message).length
    ? []
    : resultsIn(details).filter((result) => !parts.has(`${valueText(result.id)}.jsonl`))
}

/** `"provider/model"`; omp names some models with their provider already. Undefined where no model is named. */
export function reportedModel(provider: unknown, model: unknown): string | undefined {
  if (typeof model !== "string" || model === "") return undefined
  return typeof provider === "string" && provider !== "" ? modelName({ provider, modelId: model }) : model
}

/** Whatever of a stored usage is there. No count is less than nothing. */
function totalsOf(usage: JsonObject): UsageTotals {
  const cost = Math.max(0, numberIn(usage.cost, "total"))
  const totals: UsageTotals = { ...noUsage(), calls: 1, totalTokens: Math.max(0, totalOf(usage)), cost }
  for (const part of ["input", "output", "cacheRead", "cacheWrite"] as const)
    totals[part] = Math.max(0, numberIn(usage, part))
  for (const part of RARE_COUNTS) if (numberIn(usage, part) > 0) totals[part] = numberIn(usage, part)
  // omp's name of `cacheWrite1h`.
  if (numberIn(usage.cttl, "ephemeral1h") > 0) totals.cacheWrite1h = numberIn(usage.cttl, "ephemeral1h")
  return totals
}

/** A number of a stored object; 0 when it is missing, not a number, or so large that sums of it mean nothing. */
function numberIn(value: unknown, key: string): number {
  const number = isJsonObject(value) ? value[key] : undefined
  return typeof number === "number" && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : 0
}

/** All tokens of a usage: the reported total, or else the sum of its parts. */
export function totalOf(usage: unknown): number {
  const parts = ["input", "output", "cacheRead", "cacheWrite"]
  return numberIn(usage, "totalTokens") || parts.reduce((sum, part) => sum + numberIn(usage, part), 0)
}
