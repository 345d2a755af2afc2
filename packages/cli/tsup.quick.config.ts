import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig } from "tsup"
import { forNode } from "../../tsup.base.js"
import { withoutSpace } from "./tsup.config.js"

// What people and scripts wait for most often: the command line itself, the list and the context are one file each, with just the
// code that they run. Loading the packages whole, and a file for each thing that is shared with other commands, would take longer
// than the work.

/** It asks to go with its code. */
const licence = readFileSync(pathOf("node_modules/commander/LICENSE"), "utf8")

const quick = {
  ...forNode,
  dts: false,
  splitting: false,
  // A map would be three times as large as the code, and hold what the packages' own maps have.
  sourcemap: false,
  // What tsup.config.ts made stays.
  clean: false,
} as const

export default defineConfig([
  {
    ...quick,
    entry: { run: "src/run.ts" },
    noExternal: [...forNode.noExternal, "commander"],
    external: [/^\.\/commands\//],
    esbuildOptions: (options) => {
      withoutSpace(options)
      options.alias = { "node:child_process": pathOf("src/no-child-process.ts") }
    },
    banner: {
      js: `/*! With commander:\n${licence.trim()}\n*/\nimport { createRequire } from "node:module"\nconst require = createRequire(import.meta.url)`,
    },
  },
  {
    ...quick,
    entry: { "commands/list": "src/commands/list.ts", "commands/context": "src/commands/context.ts" },
    noExternal: [...forNode.noExternal, /^@treelog\/(session-core|storage-fs|blob-store)$/],
    external: ["./context/opened.js"],
    esbuildOptions: (options) => {
      withoutSpace(options)
      options.conditions = ["@treelog/source"]
    },
  },
])

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
