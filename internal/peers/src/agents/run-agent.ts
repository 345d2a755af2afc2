import { spawn } from "node:child_process"
import { join } from "node:path"

/** Where an agent runs: its program, a home and a project of its own. */
export interface AgentPlace {
  /** The folder with `node_modules`, `home` and `project`. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

export const homeOf = ({ folder }: AgentPlace): string => join(folder, "home")
export const projectOf = ({ folder }: AgentPlace): string => join(folder, "project")

/** Runs a program of the folder to its end. @returns what it printed @throws Error: it did not end well */
export function runAgent(place: AgentPlace, program: string, args: readonly string[]): Promise<string> {
  const bin = join(place.folder, "node_modules", ".bin")
  const env = { ...process.env, HOME: homeOf(place), PATH: `${bin}:${process.env.PATH}`, ...place.env }
  const child = spawn(join(bin, program), args, { cwd: projectOf(place), env, stdio: ["ignore", "pipe", "pipe"] })
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

export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
