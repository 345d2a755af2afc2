// Adds to retired.json: the last prices of models that pi-ai lists no more, of which there are sessions. By hand, when pi-ai is raised: build this
// package, then `node build/write-retired.mjs FOLDER...` with packages of earlier versions, unpacked, the newest first. Up to 0.73 it was
// @mariozechner/pi-ai: 0.73.1, 0.62.0, 0.45.7, 0.30.2, 0.12.15 and 0.5.48 were read. `gemini-3-pro`, as
// Cursor and OpenCode name the preview, was added.

import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { priceOf } from "../dist/index.js"

const RETIRED = fileURLToPath(new URL("retired.json", import.meta.url))

/** Where no other provider lists a model, its maker's price holds. */
const MAKERS = ["anthropic", "openai", "google", "xai", "zai", "moonshotai", "mistral", "deepseek", "minimax"]

const retired = existsSync(RETIRED) ? JSON.parse(readFileSync(RETIRED, "utf8")) : {}
for (const folder of process.argv.slice(2)) {
  const { MODELS } = await import(pathToFileURL(join(resolve(folder), "dist/models.generated.js")).href)
  // A maker's 0 is that of a subscription, or of nobody who asked.
  for (const provider of MAKERS)
    for (const [id, { cost }] of Object.entries(MODELS[provider] ?? {}))
      if (cost.input > 0 && priceOf(id, provider)?.provider !== provider) {
        retired[provider] ??= {}
        retired[provider][id] ??= [cost.input, cost.output, cost.cacheRead, cost.cacheWrite]
      }
}
const lines = (object, textOf) =>
  Object.entries(object)
    .map(([name, value]) => `${JSON.stringify(name)}: ${textOf(value)}`)
    .join(",\n")
writeFileSync(RETIRED, `{\n${lines(retired, (models) => `{\n${lines(models, JSON.stringify)}\n}`)}\n}\n`)
