import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs"
import { basename, join, relative } from "node:path"
import type { ByteSource, PartSource } from "../../src/index.js"

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

/** Calls `use` with a file as a source. */
export function withSource<T>(path: string, use: (source: ByteSource) => T): T {
  const file = openSync(path, "r")
  try {
    return use({ size: fstatSync(file).size, read: (offset, length) => readFrom(file, offset, length) })
  } finally {
    closeSync(file)
  }
}

/** The same with the transcripts of sub-agents. */
export function withSources<T>(session: SessionFile, use: (source: ByteSource, subagents: PartSource[]) => T): T {
  const files = session.subagents.map((path) => ({ path, file: openSync(path, "r") }))
  const root = session.path.replace(/\.jsonl$/, "")
  try {
    const subagents = files.map(({ path, file }): PartSource => {
      const source = {
        size: fstatSync(file).size,
        read: (offset: number, length: number) => readFrom(file, offset, length),
      }
      return { name: relative(root, path), source }
    })
    return withSource(session.path, (source) => use(source, subagents))
  } finally {
    for (const { file } of files) closeSync(file)
  }
}

function readFrom(file: number, offset: number, length: number): Uint8Array {
  const buffer = new Uint8Array(length)
  return buffer.subarray(0, readSync(file, buffer, 0, length, offset))
}
