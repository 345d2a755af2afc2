import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** What `npm run build` made. */
export const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url))

/** Also where the built file has no line ends: behind another statement. A path as in `import("./a.js")` is none. */
const STATIC_IMPORT = /(?:^|[;}])(?:import|export)\b[^"'();]*["']([^"']+)["']/gm

const DYNAMIC_IMPORT = /import\("([^"]+)"\)/g

/** In the bundles in CommonJS: alone, and where there was a dynamic import. */
const REQUIRE = /(?<!then\(\(\)=>__toESM\()require\("([^"]+)"\)/g
const LATER_REQUIRE = /then\(\(\)=>__toESM\(require\("([^"]+)"\)/g

/** Everything that a built file imports before its first line runs: packages, and files of ours by their path below `dist`. */
export function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  for (const specifier of importsOf(file, isBundle(file) ? REQUIRE : STATIC_IMPORT)) {
    if (loaded.has(specifier)) continue
    loaded.add(specifier)
    if (isOurs(specifier)) loadedWith(specifier, loaded)
  }
  return loaded
}

/** What a built file imports when it comes to it. */
export function loadedLater(file: string): string[] {
  return importsOf(file, isBundle(file) ? LATER_REQUIRE : DYNAMIC_IMPORT)
}

/** The files of the built command, by their paths below `dist`. */
export function builtFiles(): string[] {
  return readdirSync(dirname(MAIN), { recursive: true, encoding: "utf8" }).filter((file) => /\.m?js$/.test(file))
}

/** What people wait for is in CommonJS, whose compiled code can be kept. */
function isBundle(file: string): boolean {
  return file.endsWith(".js")
}

function importsOf(file: string, pattern: RegExp): string[] {
  const source = readFileSync(join(dirname(MAIN), file), "utf8")
  const specifiers = [...source.matchAll(pattern)].flatMap(([, specifier]) => specifier ?? [])
  return specifiers.map((specifier) => (specifier.startsWith(".") ? `./${join(dirname(file), specifier)}` : specifier))
}

function isOurs(specifier: string): boolean {
  return specifier.startsWith("./")
}

export function isPackage(specifier: string): boolean {
  return !isOurs(specifier) && !/^(node:|util$|path$)/.test(specifier)
}
