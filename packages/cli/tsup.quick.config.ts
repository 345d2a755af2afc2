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

/** Whose imports stay apart, by folder, and where in `dist` the files are that they import. */
const SOURCES: Readonly<Record<string, string>> = { [pathOf("src/")]: "", [pathOf("../stores/src/")]: "stores" }

/**
 * Leaves what tsup.config.ts made out of a bundle: what is imported when it is needed is a file of its own.
 * @param folder of the bundle, below `dist`
 */
function keepImportsApart(folder: string): NonNullable<Options["esbuildPlugins"]>[number] {
  return {
    name: "keep-imports-apart",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
        const source = Object.keys(SOURCES).find((each) => `${resolveDir}/`.startsWith(each))
        if (kind !== "dynamic-import" || source === undefined) return undefined
        const external = relative(folder, join(SOURCES[source] ?? "", relative(source, join(resolveDir, path))))
        return { path: external.startsWith(".") ? external : `./${external}`, external: true }
      })
    },
  }
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

/** Files with what they use of the packages. */
function withPackages(folder: string, entry: Record<string, string>): Options {
  return {
    ...quick,
    entry,
    noExternal: [
      ...forNode.noExternal,
      /^@treelog\/(session-core|storage-fs|stores|blob-store|claude-code|codex)(\/|$)/,
      "@treelog/agents/places",
    ],
    esbuildPlugins: [keepImportsApart(folder)],
    esbuildOptions: (options) => {
      withoutSpace(options)
      options.conditions = ["@treelog/source"]
    },
  }
}

export default defineConfig([
  {
    ...quick,
    entry: { run: "src/run.ts" },
    noExternal: [
      ...forNode.noExternal,
      "commander",
      "@treelog/session-core/json",
      "@treelog/stores",
      "@treelog/agents/places",
    ],
    esbuildPlugins: [keepImportsApart("")],
    esbuildOptions: (options) => {
      withoutSpace(options)
      options.conditions = ["@treelog/source"]
      options.alias = { "node:child_process": pathOf("src/program/no-child-process.ts") }
    },
    banner: {
      js: `/*! With commander:\n${licence.trim()}\n*/\nimport { createRequire as makeRequire } from "node:module"\nconst require = makeRequire(import.meta.url)`,
    },
  },
  withPackages("commands/", { "commands/list": "src/commands/list.ts", "commands/context": "src/commands/context.ts" }),
  withPackages("stores/agents/", {
    "stores/agents/claude-code": "../stores/src/agents/claude-code.ts",
    "stores/agents/codex": "../stores/src/agents/codex.ts",
  }),
  withPackages("sessions/", { "sessions/in-store-of": "src/sessions/in-store-of.ts" }),
])

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
