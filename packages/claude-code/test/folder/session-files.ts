import { readdirSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import type { PartSource } from "../../src/index.js"

/** A session of a `projects` folder, with the transcripts of its sub-agents. */
export interface SessionFile {
  readonly path: string
  /** The name without `.jsonl`. */
  readonly name: string
  readonly subagents: readonly string[]
}

/** The sessions below a folder: a `.jsonl` beside which a folder of its name may lie. */
export function sessionFiles(projects: string): SessionFile[] {
  return readdirSync(projects, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => filesOf(join(projects, name)))
}

function filesOf(folder: string): SessionFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((file) => {
      const name = basename(file, ".jsonl")
      const beside = join(folder, name)
      return { path: join(folder, file), name, subagents: transcriptsIn(beside) }
    })
}

function transcriptsIn(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    return names
      .filter((name) => name.endsWith(".jsonl"))
      .sort()
      .map((name) => join(folder, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
    throw error
  }
}

/** The transcripts of the sub-agents of a session. */
export function partsOf({ path, subagents }: SessionFile): PartSource[] {
  const root = path.replace(/\.jsonl$/, "")
  return subagents.map((subagent) => ({ name: relative(root, subagent), bytes: readFileSync(subagent) }))
}
