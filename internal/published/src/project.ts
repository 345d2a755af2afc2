import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { lockedVersions } from "./locked-versions.js"
import { PNPM, packedPackages } from "./packed-packages.js"
import { ROOT } from "./root.js"
import { type Ran, runWell } from "./run-command.js"
import { temporaryFolder } from "./temporary-folder.js"

export type Manager = "npm" | "pnpm"

export interface InstallOptions {
  /** Leaves the optional dependencies out. */
  readonly withoutOptional?: boolean
  /** Keeps npm from running the scripts of packages; pnpm runs none by default. */
  readonly withoutScripts?: boolean
  /** Versions of packages of others; by default those of our lock file. Null leaves one to the package manager. */
  readonly versions?: Readonly<Record<string, string | null>>
  /** The folder of the `node` that runs npm. */
  readonly commandsOf?: string | undefined
}

/** An empty folder, but for a `package.json`. */
export async function emptyProject(): Promise<string> {
  const folder = await temporaryFolder("project")
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "of-a-user", private: true, type: "module" }))
  return folder
}

/** Installs packages of ours in a project, beside what it has already; those that they need come as tarballs, too. */
export async function install(
  folder: string,
  manager: Manager,
  names: readonly string[],
  options: InstallOptions = {},
): Promise<Ran> {
  const path = join(folder, "package.json")
  const manifest = JSON.parse(await readFile(path, "utf8"))
  const ours = Object.fromEntries((await packedPackages()).map(({ name, tarball }) => [name, `file:${tarball}`]))
  const dependencies = Object.fromEntries(names.map((name) => [name, ours[name]]))
  const wanted = { ...ours, ...(await lockedVersions()), ...options.versions }
  const overrides = Object.fromEntries(Object.entries(wanted).filter(([, version]) => version !== null))
  manifest.dependencies = { ...manifest.dependencies, ...dependencies }
  if (manager === "npm") manifest.overrides = overrides
  else manifest.pnpm = { overrides }
  await writeFile(path, JSON.stringify(manifest, undefined, 2))
  return manager === "npm" ? installByNpm(folder, options) : installByPnpm(folder, options)
}

function installByNpm(folder: string, { withoutOptional, withoutScripts, commandsOf }: InstallOptions): Promise<Ran> {
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund"]
  if (withoutOptional) args.push("--omit=optional")
  if (withoutScripts) args.push("--ignore-scripts")
  return runWell("npm", args, { cwd: folder, commandsOf })
}

async function installByPnpm(folder: string, { withoutOptional, commandsOf }: InstallOptions): Promise<Ran> {
  const args = [PNPM, "install", "--prefer-offline", "--no-frozen-lockfile", "--store-dir", await storeDir()]
  if (withoutOptional) args.push("--no-optional")
  return runWell(process.execPath, args, { cwd: folder, commandsOf })
}

/** The store that the workspace was installed from, wherever temporary folders are. */
async function storeDir(): Promise<string> {
  const modules = await readFile(join(ROOT, "node_modules", ".modules.yaml"), "utf8")
  const [, folder] = /"?storeDir"?: "?([^"\n]+)/.exec(modules) ?? []
  if (folder === undefined) throw new Error("node_modules/.modules.yaml does not say where pnpm keeps its packages")
  return folder
}
