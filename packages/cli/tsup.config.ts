import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "tsup"
import { forNode } from "../../tsup.base.js"
import { QUICK, shortened } from "./tsup.quick.config.js"

const SOURCE = fileURLToPath(new URL("src/", import.meta.url))
const sources = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"))

/** A file each, of its own name, with shared chunks beside it: every command, and what is imported when it is needed, such as a driver. */
const entries = sources.flatMap((path) => [
  ...(dirname(path) === "commands" ? [path] : []),
  ...[...readFileSync(SOURCE + path, "utf8").matchAll(/(?:import|load)\("(\.[^"]+)\.js"\)/g)].map(
    ([, target = ""]) => `${join(dirname(path), target)}.ts`,
  ),
])

/** Made by tsup.quick.config.ts. */
const quick = QUICK.map((path) => `${path}.ts`)

export default defineConfig({
  ...forNode,
  entry: {
    ...Object.fromEntries(
      [...new Set(entries)]
        .filter((path) => !quick.includes(path))
        .map((path) => [path.slice(0, -".ts".length), `src/${path}`]),
    ),
    "stores/open-postgres": "../stores/src/open-postgres.ts",
  },
  dts: false,
  // Entries stand in `dist` as they do here: what they import of a bundle is where they name it.
  external: QUICK.map((path) => new RegExp(`^\\.{1,2}/(?:.*/)?${path}\\.js$`)),
  esbuildOptions: shortened,
})
