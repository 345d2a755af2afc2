import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig, type Options } from "tsup"
import { forNode } from "../../tsup.base.js"

// The command line itself, and each command whose definition has `bundledWith`, are one file each, with just the code that they run. Loading the
// packages whole, and a file for each thing that is shared with other commands, would take longer than the work.

/** Of what each of these commands imports when it comes to it, what is in the same file. */
const WITHIN: ReadonlyMap<string, readonly string[]> = new Map(
  readdirSync(pathOf("src/commands"), { withFileTypes: true }).flatMap((file) => {
    const source = file.isFile() ? readFileSync(join(file.parentPath, file.name), "utf8") : ""
    const [, paths] = /^ {2}bundledWith: (\[.*\]),$/m.exec(source) ?? []
    return paths === undefined ? [] : [[`commands/${file.name.slice(0, -".ts".length)}`, JSON.parse(paths)]]
  }),
)
export const QUICK = ["main", "run", ...WITHIN.keys()]

/** What opens the sessions of an agent, and what writes sessions for one. */
const AGENTS = ["open-store", "write-session"].flatMap((name) => {
  const source = readFileSync(pathOf(`../stores/src/${name}.ts`), "utf8")
  return [...source.matchAll(/import\("\.\/((?:agents|writers)\/[\w-]+)\.js"\)/g)].map(([, path = ""]) => path)
})

/** It asks to go with its code. */
const licence = readFileSync(pathOf("node_modules/commander/LICENSE"), "utf8")

/** Whose imports stay apart, by folder, and where in `dist` the files are that they import. */
const SOURCES: Readonly<Record<string, string>> = { [pathOf("src/")]: "", [pathOf("../stores/src/")]: "stores" }

/**
 * Leaves what tsup.config.ts made out of a bundle: what is imported when it is needed is a file of its own.
 * @param bundle its path below `dist`
 */
function keepImportsApart(bundle: string): NonNullable<Options["esbuildPlugins"]>[number] {
  return {
    name: "keep-imports-apart",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
        const source = Object.keys(SOURCES).find((each) => `${resolveDir}/`.startsWith(each))
        if (kind !== "dynamic-import" || source === undefined) return undefined
        const file = join(SOURCES[source] ?? "", relative(source, join(resolveDir, path)))
        if (WITHIN.get(bundle)?.some((path) => file === `${path}.js`)) return undefined
        const external = relative(dirname(bundle), file)
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

/** Reading the code is much of what a short command does. Names stay, for traces. */
export function shortened(options: { minifyWhitespace?: boolean; minifySyntax?: boolean }): void {
  options.minifyWhitespace = true
  options.minifySyntax = true
}

/** A command with what it uses of the packages. */
function withPackages(path: string, source = `src/${path}.ts`): Options {
  return {
    ...quick,
    entry: { [path]: source },
    noExternal: [
      ...forNode.noExternal,
      /^@treelog\/(session-core|storage-fs|stores|blob-store|claude-code|codex|agents|index-sqlite)(\/|$)/,
    ],
    esbuildPlugins: [keepImportsApart(path)],
    esbuildOptions: (options) => {
      shortened(options)
      options.conditions = ["@treelog/source"]
    },
  }
}

export default defineConfig([
  { ...quick, entry: { main: "src/main.ts" }, esbuildPlugins: [keepImportsApart("main")], esbuildOptions: shortened },
  {
    ...quick,
    entry: { run: "src/run.ts" },
    noExternal: [...forNode.noExternal, "commander", /^@treelog\/(session-core|stores|agents)(\/|$)/],
    esbuildPlugins: [keepImportsApart("run")],
    esbuildOptions: (options) => {
      shortened(options)
      options.conditions = ["@treelog/source"]
      options.alias = { "node:child_process": pathOf("src/program/no-child-process.ts") }
    },
    // What commander requires is of Node. To import `node:process` would load all that it has.
    banner: {
      js: `/*! With commander:\n${licence.trim()}\n*/\nconst require = process.getBuiltinModule`,
    },
  },
  ...[...WITHIN.keys()].map((path) => withPackages(path)),
  // The code of other agents is for those who have sessions of one.
  ...AGENTS.map((path) => withPackages(`stores/${path}`, `../stores/src/${path}.ts`)),
])

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
