import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Agent } from "./agent.js"

/** Installs the newest version of an agent in a folder, where it is not there yet. @returns the folder's `node_modules` */
export function install({ packages, bundles = [], commands = {}, installScript }: Agent, folder: string): string {
  const modules = join(folder, "node_modules")
  if (existsSync(modules)) return modules
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), "{}")
  const newest = packages.map((name) => `${name}@latest`)
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...newest], {
    cwd: folder,
    stdio: "ignore",
  })
  for (const name of bundles) unpack(name, folder, modules)
  for (const [command, path] of Object.entries(commands)) {
    mkdirSync(join(modules, ".bin"), { recursive: true })
    chmodSync(join(modules, path), 0o755)
    symlinkSync(join(modules, path), join(modules, ".bin", command))
  }
  if (installScript !== undefined) execFileSync("node", [installScript], { cwd: modules, stdio: "ignore" })
  return modules
}

/** Puts a package and its commands among the modules of a folder. */
function unpack(name: string, folder: string, modules: string): void {
  const pack = ["pack", "--silent", `${name}@latest`]
  const file = execFileSync("npm", pack, { cwd: folder, encoding: "utf8" }).trim()
  const target = join(modules, name)
  mkdirSync(target, { recursive: true })
  execFileSync("tar", ["-xzf", file, "-C", target, "--strip-components", "1"], { cwd: folder })
  const { bin } = JSON.parse(readFileSync(join(target, "package.json"), "utf8")) as { bin: Record<string, string> }
  for (const [command, path] of Object.entries(bin)) symlinkSync(join(target, path), join(modules, ".bin", command))
}
