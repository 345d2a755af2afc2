import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** A program that runs JavaScript, other than the one that runs the tests. */
export interface Runtime {
  readonly name: string
  /** The binary, where there is one for this machine. */
  readonly binary: string | undefined
}

/** They are optional dependencies, which come where they can run. */
const BINARIES = [
  { name: "Node 22", from: "node-22", path: "bin/node" },
  { name: "Node 24", from: "node-24", path: "bin/node" },
  { name: "Bun", from: "@oven/bun-linux-x64", path: "bin/bun" },
]

export const RUNTIMES: readonly Runtime[] = BINARIES.map(({ name, from, path }) => ({
  name,
  binary: binaryOf(from, path),
}))

function binaryOf(name: string, path: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? []
  // What came may be for another libc than the one of this machine.
  const runs = (binary: string) => spawnSync(binary, ["--version"]).status === 0
  return folders.map((folder) => join(folder, name, path)).find(runs)
}

/** The folder of the command `node` in a version that better-sqlite3 13 runs on. */
export function commandsOfNewerNode(): string | undefined {
  const binary = RUNTIMES.find(({ name }) => name === "Node 22")?.binary
  return binary === undefined ? undefined : dirname(binary)
}
