import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Agent } from "./agent.js"

/** Installs the newest version of an agent in a folder, where it is not there yet. @returns the folder's `node_modules` */
export function install({ packages, installScript }: Agent, folder: string): string {
  const modules = join(folder, "node_modules")
  if (existsSync(modules)) return modules
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), "{}")
  const newest = packages.map((name) => `${name}@latest`)
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...newest], { cwd: folder, stdio: "ignore" })
  if (installScript !== undefined) execFileSync("node", [installScript], { cwd: modules, stdio: "ignore" })
  return modules
}
