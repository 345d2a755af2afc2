import { canonicalName, plainName } from "./model-names.js"
import { providerName } from "./providers.js"
import { completeRates, type GivenRates, type ModelPrice, type Rates } from "./rates.js"

/** A price list of your own, checked. */
export interface PriceList {
  readonly models: readonly ListedModel[]
}

/** A model of a list of your own, and since when its price holds. */
export interface ListedModel {
  /** Undefined for the price at every provider. */
  readonly provider: string | undefined
  readonly name: string
  /** The text that all forms of the name have in common. */
  readonly canonical: string
  /** Milliseconds since 1970; less than all of them where it always held. */
  readonly from: number
  readonly price: ModelPrice
}

/** A list that cannot be used; the message says what is wrong, and where. */
export class InvalidPriceListError extends Error {
  override readonly name = "InvalidPriceListError"
  readonly code = "InvalidPriceListError"
}

const RATES = ["input", "output", "cacheRead", "cacheWrite", "cacheWrite1h", "reasoning"] as const

/**
 * Checks a list of your own:
 * `{ "models": [{ "model": "acme-1", "provider": "acme", "input": 2, "output": 8, "from": "2026-03-01" }] }`, in dollars for a million tokens.
 * `model` and `provider` are compared as the table's names are; without a provider the price holds for all. Rates that are left out follow
 * from the others: cached tokens cost what input does, reasoning what output does. `tiers` have the same rates, and `above`. Of several
 * prices of a model, that with the latest `from` counts which is not later than the call.
 * @param value the JSON value
 * @throws InvalidPriceListError
 */
export function priceList(value: unknown): PriceList {
  const models = isObject(value) ? value.models : undefined
  if (!Array.isArray(models)) throw new InvalidPriceListError('A price list is an object with a list "models".')
  return { models: models.map((model, at) => listedModel(model, `models[${at}]`)) }
}

/** The price in a list; undefined where it has none for this model at this time. */
export function priceInList(
  list: PriceList,
  model: string,
  provider: string | undefined,
  at: number | undefined,
): ModelPrice | undefined {
  const slash = model.indexOf("/")
  const forms =
    provider === undefined && slash > 0
      ? [
          { provider: undefined, model },
          { provider: model.slice(0, slash), model: model.slice(slash + 1) },
        ]
      : [{ provider, model }]
  for (const form of forms) {
    const [name, canonical] = [plainName(form.model), canonicalName(form.model)]
    const owner = form.provider === undefined ? undefined : providerName(form.provider)
    const fitting = list.models.filter(
      (one) =>
        (one.provider === undefined || one.provider === owner) && (one.name === name || one.canonical === canonical),
    )
    const found = fitting
      .filter(({ from }) => from <= (at ?? Number.POSITIVE_INFINITY))
      .sort((a, b) => rank(b, name) - rank(a, name) || b.from - a.from)[0]
    if (found) return found.price
  }
  return undefined
}

/** A price for this very name and provider comes before one for all. */
function rank({ name, provider }: ListedModel, asked: string): number {
  return (name === asked ? 2 : 0) + (provider === undefined ? 0 : 1)
}

function listedModel(value: unknown, place: string): ListedModel {
  if (!isObject(value)) throw invalid(place, "is not an object")
  const { model, provider, from, tiers = [], webSearch } = value
  if (typeof model !== "string" || plainName(model) === "")
    throw invalid(`${place}.model`, "is not the name of a model")
  if (provider !== undefined && (typeof provider !== "string" || provider === ""))
    throw invalid(`${place}.provider`, "is not a name")
  const since = from === undefined ? Number.NEGATIVE_INFINITY : typeof from === "string" ? Date.parse(from) : Number.NaN
  if (Number.isNaN(since)) throw invalid(`${place}.from`, "is not a date such as 2026-03-01")
  if (!Array.isArray(tiers)) throw invalid(`${place}.tiers`, "is not a list")
  const known = new Set<string>([...RATES, "model", "provider", "from", "tiers", "webSearch"])
  for (const key of Object.keys(value)) if (!known.has(key)) throw invalid(`${place}.${key}`, "is not known")
  const price: ModelPrice = {
    provider: provider ?? "",
    model,
    ...ratesIn(value, place),
    tiers: tiers
      .map((tier, at) => ({
        above: amountIn(tier, "above", `${place}.tiers[${at}]`),
        ...ratesIn(tier, `${place}.tiers[${at}]`),
      }))
      .sort((a, b) => a.above - b.above),
    webSearch: webSearch === undefined ? undefined : amountIn(value, "webSearch", place),
    source: "list",
  }
  const owner = provider === undefined ? undefined : providerName(provider)
  return { provider: owner, name: plainName(model), canonical: canonicalName(model), from: since, price }
}

function ratesIn(value: unknown, place: string): Rates {
  const given: GivenRates = { input: amountIn(value, "input", place), output: amountIn(value, "output", place) }
  const rest = RATES.filter((rate) => isObject(value) && value[rate] !== undefined)
  return completeRates({ ...given, ...Object.fromEntries(rest.map((rate) => [rate, amountIn(value, rate, place)])) })
}

function amountIn(value: unknown, key: string, place: string): number {
  const amount = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  if (typeof amount === "number" && Number.isFinite(amount) && amount >= 0) return amount
  throw invalid(`${place}.${key}`, "is not a number of 0 or more")
}

function invalid(place: string, what: string): InvalidPriceListError {
  return new InvalidPriceListError(`${place} ${what}.`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
