import { readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url))

export interface PackageManifest {
  name: string
  exports: Record<string, string | Record<string, string>>
}

export const packageFolders = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`)

export const readText = (path: string) => readFileSync(join(ROOT, path), "utf8")

export const readManifest = (folder: string) => JSON.parse(readText(`${folder}/package.json`)) as PackageManifest

/** The source files of a package, as paths from the root with forward slashes. */
export const sourceFiles = (folder: string) =>
  readdirSync(join(ROOT, folder, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `${folder}/src/${path.split(sep).join("/")}`)
    .sort()

/** What can be imported from a package, with the source file behind each name. */
export function entryPoints(folder: string) {
  const { name, exports } = readManifest(folder)
  return Object.entries(exports).flatMap(([path, target]) => {
    const source = typeof target === "string" ? undefined : target["@treelog/source"]
    return source === undefined ? [] : [{ specifier: name + path.slice(1), source: join(ROOT, folder, source) }]
  })
}

/** The names that a file lists: `export { a, type B } from "…"`. */
export const listedNames = (path: string) =>
  [...readText(path).matchAll(/\{([^}]*)\}/g)]
    .flatMap(([, names = ""]) => names.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "")
