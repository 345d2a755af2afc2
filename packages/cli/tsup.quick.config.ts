import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig, type Options } from "tsup"
import { forNode } from "../../tsup.base.js"
import { withoutSpace } from "./tsup.config.js"

// What people and scripts wait for most often: the command line itself, the list and the context are one file each, with just the
// code that they run. Loading the packages whole, and a file for each thing that is shared with other commands, would take longer
// than the work.

/** It asks to go with its code. */
const licence = readFileSync(pathOf("node_modules/commander/LICENSE"), "utf8")

/** Leaves what tsup.config.ts made out of this bundle: it is imported from its own file, beside `run.js`. */
const keepCommandsApart: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "keep-commands-apart",
  setup(build) {
    const source = pathOf("src/")
    build.onResolve({ filter: /\/commands\/|\/candidate-lines\.js$/ }, ({ path, resolveDir, kind }) =>
      kind === "dynamic-import" ? { path: `./${relative(source, join(resolveDir, path))}`, external: true } : undefined,
    )
  },
}

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
    noExternal: [...forNode.noExternal, "commander", "@treelog/session-core/json"],
    esbuildPlugins: [keepCommandsApart],
    esbuildOptions: (options) => {
      withoutSpace(options)
      options.conditions = ["@treelog/source"]
      options.alias = { "node:child_process": pathOf("src/program/no-child-process.ts") }
    },
    banner: {
      js: `/*! With commander:\n${licence.trim()}\n*/\nimport { createRequire as makeRequire } from "node:module"\nconst require = makeRequire(import.meta.url)`,
    },
  },
  {
    ...quick,
    entry: { "commands/list": "src/commands/list.ts", "commands/context": "src/commands/context.ts" },
    noExternal: [...forNode.noExternal, /^@treelog\/(session-core|storage-fs|blob-store)(\/|$)/],
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
