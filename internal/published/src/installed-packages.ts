import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

export interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly folder: string
  /** Whether installing it runs something: a script, or the compiler that a `binding.gyp` asks for. */
  readonly runsWhenInstalled: boolean
}

/** What a package manager put into the `node_modules` of a project, each once, by name. */
export async function installedPackages(project: string): Promise<readonly InstalledPackage[]> {
  const found: InstalledPackage[] = []
  const left = [join(project, "node_modules")]
  for (let modules = left.pop(); modules !== undefined; modules = left.pop()) {
    if (!existsSync(modules)) continue
    for (const entry of await readdir(modules, { withFileTypes: true })) {
      const folder = join(modules, entry.name)
      // pnpm links to its own folder, where everything is once.
      if (!entry.isDirectory()) continue
      if (entry.name === ".pnpm")
        left.push(...(await readdir(folder)).map((name) => join(folder, name, "node_modules")))
      else if (entry.name.startsWith("@")) left.push(folder)
      else if (existsSync(join(folder, "package.json"))) {
        found.push(await readPackage(folder))
        left.push(join(folder, "node_modules"))
      }
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function readPackage(folder: string): Promise<InstalledPackage> {
  const { name, version, scripts = {}, gypfile } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
  const hasScript = ["preinstall", "install", "postinstall"].some((script) => script in scripts)
  const compiles = gypfile !== false && existsSync(join(folder, "binding.gyp"))
  return { name, version, folder, runsWhenInstalled: hasScript || compiles }
}

/** The compiled files that came, as paths from the package that has them. */
export async function compiledFiles(packages: readonly InstalledPackage[]): Promise<string[]> {
  const files = await Promise.all(packages.map(({ folder }) => readdir(folder, { recursive: true })))
  return files.flat().filter((path) => /\.(node|so|dylib|dll|wasm)$/.test(path))
}
