import { canonicalName, plainName } from "./model-names.js"
import { completeRates, type ModelPrice, type Rates, type Tier } from "./rates.js"
import { TABLE } from "./table.js"

interface StoredTable {
  /** Input, output, cache read, cache write; then, for each tier, the input above which it holds, and the same four. */
  readonly prices: readonly (readonly number[])[]
  /** By provider and model, the place of its price. */
  readonly providers: Readonly<Record<string, Readonly<Record<string, number>>>>
}

interface ProviderTable {
  readonly byName: ReadonlyMap<string, string>
  readonly byCanonicalName: ReadonlyMap<string, string>
}

let parsed: StoredTable | undefined
const indexed = new Map<string, ProviderTable>()

function table(): StoredTable {
  parsed ??= JSON.parse(TABLE) as StoredTable
  return parsed
}

/** The price of a model at a provider: by its name as it is written, else by the model that the name means. */
export function listedPrice(provider: string, name: string): ModelPrice | undefined {
  const models = modelsOf(provider)
  const plain = plainName(name)
  const model =
    models.byName.get(plain) ??
    models.byName.get(plain.slice(plain.lastIndexOf("/") + 1)) ??
    models.byCanonicalName.get(canonicalName(name))
  const stored = model === undefined ? undefined : table().prices[table().providers[provider]?.[model] ?? -1]
  if (model === undefined || stored === undefined) return undefined
  const tiers: Tier[] = []
  for (let at = 4; at < stored.length; at += 5) tiers.push({ above: stored[at] ?? 0, ...ratesAt(stored, at + 1) })
  const webSearch = WEB_SEARCH[provider]
  return { provider, model, ...ratesAt(stored, 0), tiers, webSearch, source: "table" }
}

/** What providers ask for a search, which the source of the table does not have: 10 dollars for 1,000, without the tokens. */
const WEB_SEARCH: Readonly<Record<string, number>> = { anthropic: 0.01, openai: 0.01, azure: 0.01 }

function ratesAt(stored: readonly number[], at: number): Rates {
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = stored.slice(at, at + 4)
  return completeRates({ input, output, cacheRead, cacheWrite })
}

function modelsOf(provider: string): ProviderTable {
  const known = indexed.get(provider)
  if (known) return known
  const byName = new Map<string, string>()
  const byCanonicalName = new Map<string, string>()
  const { providers } = table()
  const models = Object.hasOwn(providers, provider) ? Object.keys(providers[provider] ?? {}) : []
  // A name without a date is listed beside dated ones: the shortest comes first.
  for (const model of models.sort((a, b) => a.length - b.length || (a < b ? 1 : -1))) {
    const [name, canonical] = [plainName(model), canonicalName(model)]
    if (!byName.has(name)) byName.set(name, model)
    if (!byCanonicalName.has(canonical)) byCanonicalName.set(canonical, model)
  }
  const made = { byName, byCanonicalName }
  indexed.set(provider, made)
  return made
}
