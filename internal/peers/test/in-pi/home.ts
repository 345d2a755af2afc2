import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { RUNTIMES } from "@treelog-internal/test-kit/runtimes"
import { onTestFinished } from "vitest"
import { PI } from "./pi-package.js"

/** What pi keeps its sessions with: its own session manager, or treelog's in its place. */
export type Keeper = "pi" | "treelog"

/** A version of pi's command, with a model that needs no network. */
export interface PiProgram {
  /** The Node that runs it. */
  readonly node: string
  readonly path: string
  /** The arguments that choose the model. */
  readonly args: readonly string[]
  /** Settings that the model needs, by their files in the agent's folder. */
  readonly settings: Readonly<Record<string, object>>
}

/** A home with a project, for one pi. It is removed when the test ends. */
export interface Home {
  readonly folder: string
  readonly project: string
  /** All sessions, in a folder for each project. */
  readonly sessionsDir: string
  /** All that pi has of an environment. */
  readonly env: Record<string, string>
  readonly node: string
  /** The arguments of Node that start pi with these of its own. */
  command(...args: readonly string[]): string[]
  /** The stored sessions by their paths in `sessionsDir`, the oldest first. */
  files(): Record<string, string>
}

const EXTENSION = fileURLToPath(new URL("extension.ts", import.meta.url))
const PI_0_74: PiProgram = {
  node: process.execPath,
  path: PI,
  args: ["-e", EXTENSION, "--provider", "faux", "--model", "faux-1"],
  settings: {},
}
/** The same in Node 22, where that is there: it keeps the code that it has compiled, and starts pi in two thirds of the time. */
export const PI_IN_NEWER_NODE: PiProgram = {
  ...PI_0_74,
  node: RUNTIMES.find(({ name }) => name === "Node 22")?.binary ?? process.execPath,
}
const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url))
/** What `npm run build` made of it. */
const REGISTER = new URL("../../../../packages/pi/dist/register.js", import.meta.url).href

export function makeHome(keeper: Keeper, program = PI_0_74): Home {
  const folder = mkdtempSync(join(tmpdir(), "treelog-in-pi-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const project = join(folder, "project")
  const agentDir = join(folder, "agent")
  const sessionsDir = join(agentDir, "sessions")
  mkdirSync(project)
  writeFileSync(join(project, "page.txt"), "A page with some text.\n")
  const { node, path, args: model, settings } = program
  mkdirSync(agentDir)
  for (const [name, value] of Object.entries(settings)) writeFileSync(join(agentDir, name), JSON.stringify(value))
  return {
    node,
    folder,
    project,
    sessionsDir,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      LANG: "C.UTF-8",
      PI_OFFLINE: "1",
      // Node 20 has no such cache.
      NODE_COMPILE_CACHE: COMPILED,
      PI_CODING_AGENT_DIR: agentDir,
      TREELOG_CACHE_DIR: join(folder, "cache"),
    },
    command: (...args) => [...(keeper === "treelog" ? ["--import", REGISTER] : []), path, ...model, ...args],
    files() {
      const names = readdirSync(sessionsDir, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".jsonl"),
      )
      return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(sessionsDir, name), "utf8")]))
    },
  }
}
