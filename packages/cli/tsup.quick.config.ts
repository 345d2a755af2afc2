import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig, type Options } from "tsup"
import { forNode } from "../../tsup.base.js"

// The command line itself, and each command whose definition has `bundledWith`, are one file each, with just the code that they run. Loading the
// packages whole, and a file for each thing that is shared with other commands, would take longer than the work. They are CommonJS, whose compiled code
// can be kept (src/program/compiled-bundles.ts), and which Node loads without what it needs for modules.

/** Of what each of these commands imports when it comes to it, what is in the same file. */
const WITHIN = new Map<string, readonly string[]>([
  // What `treelog` alone, `resume` and `search` show in a terminal.
  ["tui/finder/find", ["sessions/open-index"]],
  ...readdirSync(pathOf("src/commands"), { withFileTypes: true }).flatMap((file): [string, string[]][] => {
    const source = file.isFile() ? readFileSync(join(file.parentPath, file.name), "utf8") : ""
    const [, paths] = /^ {2}bundledWith: (\[.*\]),$/m.exec(source) ?? []
    return paths === undefined ? [] : [[`commands/${file.name.slice(0, -".ts".length)}`, JSON.parse(paths)]]
  }),
])
export const QUICK = ["main", "program/compiled-bundles", "run", ...WITHIN.keys()]

/** What opens the sessions of an agent, and what writes sessions for one. */
const AGENTS = ["open-store", "write-session"].flatMap((name) => {
  const source = readFileSync(pathOf(`../stores/src/${name}.ts`), "utf8")
  return [...source.matchAll(/import\("\.\/((?:agents|writers)\/[\w-]+)\.js"\)/g)].map(([, path = ""]) => path)
})

/** The bundles, by their paths below `dist`. */
const BUNDLES = [...QUICK, "prices", ...AGENTS.map((path) => `stores/${path}`)]

/** What asks to go with the code, as the first lines of its bundle. */
const licence = `/*! With commander:\n${readFileSync(pathOf("node_modules/commander/LICENSE"), "utf8").trim()}\n*/\n`
const notice = `/*!\n${readFileSync(pathOf("../prices/NOTICE"), "utf8").trim()}\n*/\n`

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
      const apart = (file: string) => {
        const path = relative(dirname(bundle), file)
        return { path: path.startsWith(".") ? path : `./${path}`, external: true }
      }
      build.onResolve({ filter: /^@treelog\/prices$/ }, ({ kind }) =>
        kind === "dynamic-import" ? apart("prices.js") : undefined,
      )
      build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
        const source = Object.keys(SOURCES).find((each) => `${resolveDir}/`.startsWith(each))
        if (kind !== "dynamic-import" || source === undefined) return undefined
        const file = join(SOURCES[source] ?? "", relative(source, join(resolveDir, path)))
        if (WITHIN.get(bundle)?.some((path) => file === `${path}.js`)) return undefined
        return apart(BUNDLES.some((path) => file === `${path}.js`) ? file : file.replace(/js$/, "mjs"))
      })
    },
  }
}

const quick = {
  ...forNode,
  format: "cjs",
  dts: false,
  splitting: false,
  // A map would be three times as large as the code, and hold what the packages' own maps have.
  sourcemap: false,
  // What tsup.config.ts made stays.
  clean: false,
} as const

type BuildOptions = Parameters<NonNullable<Options["esbuildOptions"]>>[0]

/** Reading the code is much of what a short command does. Names stay, for traces. */
export function shortened(options: BuildOptions): void {
  options.minifyWhitespace = true
  options.minifySyntax = true
}

/** @param banner the first lines of the bundle */
function asBundle(options: BuildOptions, banner = ""): void {
  shortened(options)
  options.conditions = ["@treelog/source"]
  // What is imported when it is needed is required then: compiled code that is kept cannot import.
  options.supported = { "dynamic-import": false }
  // With its own address a bundle does no more than to require from there, for which a path will do.
  options.define = { "import.meta.url": "__filename", "import.meta.dirname": "__dirname" }
  options.banner = { js: banner }
}

/** The bundle of a file, with what it uses of the packages. */
function withPackages(path: string, source = `src/${path}.ts`, banner = ""): Options {
  return {
    ...quick,
    entry: { [path]: source },
    noExternal: [
      ...forNode.noExternal,
      /^@treelog\/(session-core|storage-fs|stores|blob-store|claude-code|codex|agents|index-sqlite|prices)(\/|$)/,
    ],
    esbuildPlugins: [keepImportsApart(path)],
    esbuildOptions: (options) => asBundle(options, banner),
  }
}

export default defineConfig([
  withPackages("main"),
  withPackages("program/compiled-bundles"),
  {
    ...quick,
    entry: { run: "src/run.ts" },
    noExternal: [...forNode.noExternal, "commander", /^@treelog\/(session-core|stores|agents)(\/|$)/],
    esbuildPlugins: [keepImportsApart("run")],
    esbuildOptions: (options) => {
      asBundle(options, licence)
      options.alias = { "node:child_process": pathOf("src/program/no-child-process.ts") }
    },
  },
  ...[...WITHIN.keys()].map((path) => withPackages(path)),
  // The table of prices, of which each command here would have a copy, and the code of other agents, for those who have sessions of one.
  withPackages("prices", "../prices/src/index.ts", notice),
  ...AGENTS.map((path) => withPackages(`stores/${path}`, `../stores/src/${path}.ts`)),
])

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
