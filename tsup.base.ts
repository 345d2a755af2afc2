import { readFile } from "node:fs/promises"
import { basename, dirname, relative, resolve } from "node:path"

type Entry = Readonly<Record<string, string>>

/** Private, and built into the packages that use them. */
const SHARED = ["agent-files", "fs", "sqlite", "text"]

/** Where `npm run declarations` puts the declarations of all sources, from the folder of a package. tsup bundles them. */
const DECLARATIONS = "../../.declarations"

const declarationOf = (path: string) => `${DECLARATIONS}/${path.replace(/\.tsx?$/, ".d.ts")}`

/** What is found in `node_modules` would not be bundled. */
const paths = Object.fromEntries(
  SHARED.flatMap((name) => [
    [`@treelog-internal/${name}`, [declarationOf(`internal/${name}/src/index.ts`)]],
    [`@treelog-internal/${name}/*`, [declarationOf(`internal/${name}/src/*.ts`)]],
  ]),
)

/** The script `types` bundles the declarations alone, which only publishing needs; `clean` would remove what the other made. */
const isTypes = process.env.npm_lifecycle_event === "types"

/** Entry points of a package, and those that only have types here. */
export function output(entry: Entry, more: Entry = {}) {
  const folder = `packages/${basename(process.cwd())}`
  const all = Object.entries({ ...entry, ...more })
  const declarations = Object.fromEntries(all.map(([name, path]) => [name, declarationOf(`${folder}/${path}`)]))
  const dts = isTypes && { only: true as const, entry: declarations, compilerOptions: { paths } }
  return { entry, dts, clean: !isTypes }
}

/** How packages for Node are built; the core has a way of its own. */
export const forNode = {
  ...output({ index: "src/index.ts" }),
  format: "esm" as const,
  platform: "node" as const,
  target: "node20" as const,
  noExternal: SHARED.map((name) => `@treelog-internal/${name}`),
  sourcemap: true,
  splitting: true,
  removeNodeProtocol: false,
}

/** As much of esbuild's as is used. */
interface Build {
  onLoad(
    options: { filter: RegExp },
    load: (file: { path: string }) => Promise<{ loader: "ts"; contents: string }>,
  ): void
}

/**
 * Puts modules into one file. A module is bundled with those that the same entry points reach: many entry points make many small files, and
 * to load thirty of them takes Node twice as long as one with the same code.
 * @param of the entry points of the modules, below the folder of the package
 * @param by the entry points, also those that are only imported when they are needed, that are to load all of these modules
 */
export function inOneFile(of: readonly string[], by: RegExp) {
  // Source maps hold them: they name no folder of this machine.
  const importsIn = (folder: string) =>
    of.map((path) => `import "./${relative(folder, resolve(path)).replaceAll("\\", "/")}"`).join("\n")
  return {
    esbuildPlugins: [
      {
        name: "in-one-file",
        setup(build: Build) {
          build.onLoad({ filter: by }, async ({ path }) => {
            return { loader: "ts", contents: `${await readFile(path, "utf8")}\n${importsIn(dirname(path))}` }
          })
        },
      },
    ],
    // These imports have no effect but this one, which esbuild warns of.
    esbuildOptions: (options: { logOverride?: Record<string, string> }) => {
      options.logOverride = { "ignored-bare-import": "silent" }
    },
  }
}
