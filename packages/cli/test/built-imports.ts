import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** What `npm run build` made. */
export const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url))

/** Also where the built file has no line ends: behind another statement. A path as in `import("./a.js")` is none. */
const STATIC_IMPORT = /(?:^|[;}])(?:import|export)\b[^"'();]*["']([^"']+)["']/gm

/** Everything that a built file imports before its first line runs. */
export function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  for (const specifier of importsOf(file, STATIC_IMPORT)) {
    if (loaded.has(specifier)) continue
    loaded.add(specifier)
    if (specifier.startsWith("./")) loadedWith(specifier.slice(2), loaded)
  }
  return loaded
}

/** What the pattern captures in a built file. */
export function importsOf(file: string, pattern: RegExp): string[] {
  const source = readFileSync(join(dirname(MAIN), file), "utf8")
  return [...source.matchAll(pattern)].flatMap(([, specifier]) => specifier ?? [])
}

export function isPackage(specifier: string): boolean {
  return !specifier.startsWith(".") && !/^(node:|util$|path$)/.test(specifier)
}
