import { canonicalName, isBedrockName, isClosed, plainName } from "./model-names.js"
import { type PriceList, priceInList } from "./price-list.js"
import { listedPrice } from "./price-table.js"
import { isAssumed, MAKERS, providerName, RESELLERS } from "./providers.js"
import type { ModelPrice } from "./rates.js"

/** Options of a look-up. */
export interface PriceOptions {
  /** A list of your own, which is used first. */
  readonly list?: PriceList | undefined
}

/**
 * What a model costs; undefined where no list has it. A model that providers run at prices of their own has a price only where its provider
 * is listed with it, or none is named.
 * @param model as a program writes it: `claude-opus-4-5-20251101`, `us.anthropic.claude-opus-4-8`, `openai/gpt-5-mini`
 * @param provider who was called; it can also stand before the model (`openai/gpt-5-mini`)
 * @param at when it was called, in milliseconds since 1970: for a list of your own, whose prices can begin at a date. The table has one price
 * of each model, that of `TABLE_DATE`, for all times.
 */
export function priceOf(
  model: string,
  provider?: string,
  at?: number,
  options: PriceOptions = {},
): ModelPrice | undefined {
  const own = options.list && priceInList(options.list, model, provider, at)
  if (own) return own
  const slash = model.indexOf("/")
  if (provider === undefined && slash > 0) {
    return priceAt(providerName(model.slice(0, slash)), model.slice(slash + 1))
  }
  return priceAt(provider === undefined || provider === "" ? undefined : providerName(provider), model)
}

/** Sums ask for the same few models thousands of times. */
const found = new Map<string, ModelPrice | undefined>()
/** So many are remembered, of names up to this length. */
const [MOST_FOUND, LONGEST] = [1000, 200]

function priceAt(provider: string | undefined, model: string): ModelPrice | undefined {
  if (model.length > LONGEST) return findPrice(provider, model)
  const key = `${provider}\n${model}`
  if (found.has(key)) return found.get(key)
  if (found.size >= MOST_FOUND) found.clear()
  const price = findPrice(provider, model)
  found.set(key, price)
  return price
}

function findPrice(provider: string | undefined, model: string): ModelPrice | undefined {
  const named = isBedrockName(model) ? "amazon-bedrock" : provider
  const lists = [...(named === undefined ? [] : [named]), ...listsBeside(named, model)]
  const names = model.endsWith("-latest") ? [model, model.slice(0, -"-latest".length)] : [model]
  for (const name of names)
    for (const list of lists) {
      const price = listedPrice(list, name)
      if (price) return price
    }
  return isAssumed(provider) && model.includes("/") ? gatewayPrice(model) : undefined
}

/** An agent whose files name no provider may have been pointed at a gateway: `deepseek/deepseek-chat` is then as that names its own. */
function gatewayPrice(model: string): ModelPrice | undefined {
  for (const list of RESELLERS) {
    const price = listedPrice(list, model)
    if (price && plainName(price.model) === plainName(model)) return price
  }
  return undefined
}

/** Where a price is right that the provider's own list does not have. */
function listsBeside(provider: string | undefined, model: string): readonly string[] {
  if (provider === undefined || isClosed(canonicalName(model))) return [...MAKERS, ...RESELLERS]
  return isAssumed(provider) ? MAKERS : []
}
