import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig } from "tsup"
import { forNode } from "../../tsup.base.js"
import { QUICK, shortened } from "./tsup.quick.config.js"

const REGISTRATION = fileURLToPath(new URL("src/program/", import.meta.url))

/** What the files that register commands import when one runs: each becomes a file of its own name, with shared chunks beside it. */
const commands = readdirSync(REGISTRATION).flatMap((name) =>
  [...readFileSync(REGISTRATION + name, "utf8").matchAll(/import\("\.\.\/(commands\/[^"]+)\.js"\)/g)].map(
    ([, path = ""]) => path,
  ),
)

/** Made by tsup.quick.config.ts. */
const quick = ["run", ...QUICK]

/** What they load where they are not enough: a file each, so that it is loaded by those who need it alone. */
const behindQuick = [
  "blobs/bucket-blobs",
  "blobs/folder-blobs",
  "blobs/session-manager",
  "commands/context/opened",
  "commands/find/around",
  "commands/find/found-prompts",
  "commands/list/nothing-listed",
  "commands/list/print-groups",
  "commands/resume/go-on",
  "commands/resume/resumed",
  "commands/stats/context-use",
  "errors/candidates",
  "housekeeping/move-to-trash",
  "search/hit-context",
  "search/open-index",
  "search/refresh-index",
  "search/sessions-saying",
  "sessions/open-library",
  "sessions/plug-ins",
  "sessions/reference-error",
]

export default defineConfig({
  ...forNode,
  entry: {
    ...Object.fromEntries(
      ["main", ...new Set(commands), ...behindQuick]
        .filter((path) => !quick.includes(path))
        .map((path) => [path, `src/${path}.ts`]),
    ),
    "stores/open-postgres": "../stores/src/open-postgres.ts",
  },
  dts: false,
  external: quick.map((path) => `./${path}.js`),
  esbuildOptions: shortened,
})
