// Writes src/table.ts: the prices of the models of @earendil-works/pi-ai, which is pinned in package.json, and of those that it lists no more.

import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const DATA = new URL("providers/data/", import.meta.resolve("@earendil-works/pi-ai"))
/** By provider and model: input, output, cache read, cache write. Made by write-retired.mjs. */
const RETIRED = new URL("retired.json", import.meta.url)
const TABLE = new URL("../src/table.ts", import.meta.url)

/** The text of `src/table.ts`. */
export function tableText() {
  const { version } = json(new URL("../../../package.json", DATA))
  const date = json(new URL(".manifest.json", DATA)).generatedAt.slice(0, 10)
  const prices = new Map()
  const providers = {}
  const add = (provider, id, numbers) => {
    const key = JSON.stringify(numbers)
    if (!prices.has(key)) prices.set(key, prices.size)
    providers[provider] ??= {}
    providers[provider][id] ??= prices.get(key)
  }
  for (const { provider, id, cost } of models()) add(provider, id, numbersOf(cost))
  for (const [provider, retired] of Object.entries(json(RETIRED)))
    for (const [id, numbers] of Object.entries(retired)) add(provider, id, numbers)
  const table = { prices: [...prices.keys()].map((key) => JSON.parse(key)), providers }
  return `// Written by build/write-table.mjs from @earendil-works/pi-ai ${version} (MIT, see NOTICE). Do not edit.

/** When the prices were listed. */
export const TABLE_DATE = "${date}"

/** A \`StoredTable\` as JSON: parsed on first use. */
export const TABLE = ${quoted(JSON.stringify(table))}
`
}

/** Those that read texts first: a model that also draws or classifies has the price of its tokens there. */
function models() {
  const all = readdirSync(DATA)
    .filter((name) => /^[^.].*\.json$/.test(name))
    .sort()
    .flatMap((name) => Object.values(json(new URL(name, DATA))).flatMap(Object.entries))
  const ofType = (type) => all.filter(([key]) => key.startsWith(`${type}:`)).map(([, model]) => model)
  const texts = [...ofType("chat"), ...ofType("classifier")].filter((model) => !isRouter(model))
  // A picture that costs no tokens is paid by the piece.
  return [...texts, ...ofType("image").filter(({ cost }) => cost.input > 0 || cost.output > 0)]
}

/** What a router costs is the price of the model that it chooses, not 0. */
function isRouter({ provider, id, cost }) {
  return provider === "openrouter" && cost.input === 0 && cost.output === 0 && !/(:|\/)free$/.test(id)
}

/** Input, output, cache read, cache write; then, for each tier, the input above which it holds, and the same four. */
function numbersOf({ tiers = [], ...base }) {
  const ratesOf = ({ input, output, cacheRead, cacheWrite }) => [input, output, cacheRead, cacheWrite]
  const sorted = [...tiers].sort((a, b) => a.inputTokensAbove - b.inputTokensAbove)
  return [...ratesOf(base), ...sorted.flatMap((tier) => [tier.inputTokensAbove, ...ratesOf(tier)])]
}

function json(url) {
  return JSON.parse(readFileSync(url, "utf8"))
}

/** Without double quotes, of which JSON has many. */
function quoted(text) {
  return `'${text.replace(/[\\']/g, "\\$&")}'`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TABLE, tableText())
