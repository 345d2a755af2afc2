import { execFileSync, spawn } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"

/** Where an agent runs: its programs, a home and a project of its own. */
export interface AgentPlace {
  /** The folder of the agent's commands. */
  readonly bin: string
  readonly home: string
  readonly project: string
  /** All that the agent has of an environment. */
  readonly env: Readonly<Record<string, string>>
}

/** A new home and project in a folder. */
export function makePlace(modules: string, folder: string): AgentPlace {
  const [bin, home, project] = [join(modules, ".bin"), join(folder, "home"), join(folder, "project")]
  for (const made of [home, project]) mkdirSync(made, { recursive: true })
  return { bin, home, project, env: { HOME: home, PATH: `${bin}:${process.env.PATH}`, LANG: "C.UTF-8" } }
}

/** Runs a program of the agent to its end. @returns what it printed @throws Error: it did not end well */
export function runAgent(place: AgentPlace, program: string, args: readonly string[]): Promise<string> {
  const { bin, project, env } = place
  const child = spawn(join(bin, program), args, { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] })
  let [output, errors] = ["", ""]
  child.stdout.on("data", (data) => {
    output += data
  })
  child.stderr.on("data", (data) => {
    errors += data
  })
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => {
      if (code === 0) resolve(output)
      else reject(new Error(`${program} ${args.join(" ")} ended with ${code}:\n${(output + errors).slice(-2_000)}`))
    })
  })
}

/** Runs a program of the agent, and kills it and what it started once something holds, which is asked every 100 ms. */
export async function killAgent(
  { bin, project, env }: AgentPlace,
  program: string,
  args: readonly string[],
  holds: () => boolean,
): Promise<void> {
  const child = spawn(join(bin, program), args, { cwd: project, env, stdio: "ignore", detached: true })
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()))
  while (!holds() && child.exitCode === null) await setTimeout(100)
  if (child.pid !== undefined && child.exitCode === null) killAll(child.pid)
  await ended
}

/** Kills a process, its group, and all that it started. */
export function killAll(pid: number): void {
  for (const one of [...startedBy(pid), -pid]) kill(one)
}

/** A process and all that it started, in whatever group. */
function startedBy(pid: number): number[] {
  const lines = execFileSync("ps", ["-Ao", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n")
  const children = lines.map((line) => line.trim().split(/\s+/).map(Number))
  const found = [pid]
  for (const parent of found) for (const [child = 0, of] of children) if (of === parent) found.push(child)
  return found
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch (error) {
    // It ended by itself.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
