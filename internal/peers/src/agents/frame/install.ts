import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Agent } from "./agent.js"

/** Installs an agent in a folder, where it is not there yet. @returns the folder's `node_modules` */
export function install({ packages, bundles = [], commands = {}, installScript }: Agent, folder: string): string {
  const modules = join(folder, "node_modules")
  if (existsSync(modules)) return modules
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), "{}")
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages.map(versioned)], {
    cwd: folder,
    stdio: "ignore",
  })
  for (const name of bundles) unpack(versioned(name), folder, modules)
  for (const [command, path] of Object.entries(commands)) {
    mkdirSync(join(modules, ".bin"), { recursive: true })
    chmodSync(join(modules, path), 0o755)
    symlinkSync(join(modules, path), join(modules, ".bin", command))
  }
  if (installScript !== undefined) execFileSync("node", [installScript], { cwd: modules, stdio: "ignore" })
  return modules
}

/** A name of a package with a version: the newest, where it has none. */
function versioned(name: string): string {
  return name.includes("@", 1) ? name : `${name}@latest`
}

/** Puts a package and its commands among the modules of a folder. @param name with a version */
function unpack(name: string, folder: string, modules: string): void {
  const file = execFileSync("npm", ["pack", "--silent", name], { cwd: folder, encoding: "utf8" }).trim()
  const target = join(modules, name.slice(0, name.lastIndexOf("@")))
  mkdirSync(target, { recursive: true })
  execFileSync("tar", ["-xzf", file, "-C", target, "--strip-components", "1"], { cwd: folder })
  const { bin } = JSON.parse(readFileSync(join(target, "package.json"), "utf8")) as { bin: Record<string, string> }
  for (const [command, path] of Object.entries(bin)) symlinkSync(join(target, path), join(modules, ".bin", command))
}
