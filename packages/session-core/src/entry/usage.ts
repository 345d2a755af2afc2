import { isEntry, type SessionEntry } from "./entry.js"
import { openedParts, resultsIn } from "./part.js"
import { modelName } from "./settings.js"
import { isJsonObject, type JsonObject } from "./values.js"

/** Tokens and cost, as providers reported them. */
export interface UsageTotals {
  /** How many answers, summaries and other calls reported a usage. */
  calls: number
  /** Tokens; so are the next four. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  totalTokens: number
  /** In the currency of the providers' prices, US dollars as a rule. */
  cost: number
  /** Requests that a provider bills by number (xcsh); only there where one was reported. */
  premiumRequests?: number
}

export function noUsage(): UsageTotals {
  return { calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: 0 }
}

/** Adds to a sum. */
export function addTotals(sum: UsageTotals, more: UsageTotals): void {
  for (const part of ["calls", "input", "output", "cacheRead", "cacheWrite", "totalTokens", "cost"] as const)
    sum[part] += more[part]
  if (more.premiumRequests !== undefined) sum.premiumRequests = (sum.premiumRequests ?? 0) + more.premiumRequests
}

/** A usage, and the model that it was reported for: `"provider/model"`, or `"unknown"` where none is named, as for a compaction. */
export interface ModelUsage {
  readonly model: string
  readonly usage: UsageTotals
  /** The role of the part of the session that used it, such as `subagent`. */
  readonly role?: string
}

/**
 * What an entry reports that it used: of its own, and in its message. A usage of zeros, as that of a failed call, reports nothing.
 * @param parts the names of the parts of the session: what they used stands there, and not in the results of the calls that began them
 */
export function usagesOf(entry: SessionEntry, parts: ReadonlySet<string> = NO_PARTS): ModelUsage[] {
  const reports = [entry as unknown as JsonObject]
  if (isEntry(entry, "message") && isJsonObject(entry.message)) reports.push(...reportsIn(entry.message, parts))
  return reports.flatMap(({ type, usage, provider, model, role }) => {
    const totals = isJsonObject(usage) ? totalsOf(usage) : noUsage()
    const { totalTokens, cost, premiumRequests } = totals
    const isReported = totalTokens > 0 || cost > 0 || premiumRequests !== undefined
    const ofPart = type === "usage" && typeof role === "string" && role !== "" && { role }
    return isReported ? [{ model: reportedModel(provider, model) ?? "unknown", usage: totals, ...ofPart }] : []
  })
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
    : resultsIn(details).filter((result) => !parts.has(`${String(result.id)}.jsonl`))
}

/** `"provider/model"`; omp names some models with their provider already. Undefined where no model is named. */
export function reportedModel(provider: unknown, model: unknown): string | undefined {
  if (typeof model !== "string" || model === "") return undefined
  return typeof provider === "string" && provider !== "" ? modelName({ provider, modelId: model }) : model
}

/** Whatever of a stored usage is there. */
function totalsOf(usage: JsonObject): UsageTotals {
  const totals = { ...noUsage(), calls: 1, totalTokens: totalOf(usage), cost: costOf(usage) }
  for (const part of ["input", "output", "cacheRead", "cacheWrite"] as const) totals[part] = numberIn(usage, part)
  const premiumRequests = numberIn(usage, "premiumRequests")
  return premiumRequests > 0 ? { ...totals, premiumRequests } : totals
}

/** What a usage cost; 0 where that is not reported, or is less than nothing. */
export function costOf(usage: unknown): number {
  return isJsonObject(usage) ? Math.max(0, numberIn(usage.cost, "total")) : 0
}

/** A number of a stored object; 0 when it is missing or not a number, which happens in real files. */
function numberIn(value: unknown, key: string): number {
  const number = isJsonObject(value) ? value[key] : undefined
  return typeof number === "number" && Number.isFinite(number) ? number : 0
}

/** All tokens of a usage: the reported total, or else the sum of its parts. */
export function totalOf(usage: unknown): number {
  const parts = ["input", "output", "cacheRead", "cacheWrite"]
  return numberIn(usage, "totalTokens") || parts.reduce((sum, part) => sum + numberIn(usage, part), 0)
}
