import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Contender } from "../question.js"
import { work } from "../work.js"
import { LARGE_CLAUDE } from "./large-session.js"
import { readAndParse } from "./probes.js"

/** Lists the sessions of Claude Code in a folder, of which nothing is known. */
export const listAll: Contender = async (folder, scratch) => {
  const [{ listSessions }, storage] = await Promise.all([
    import("@treelog/session-core/adapter"),
    LARGE_CLAUDE.open(folder, join(scratch, "cache")),
  ])
  return work(async () => {
    let sessions = 0
    for await (const { error } of listSessions(storage, undefined)) if (!error) sessions += 1
    return sessions
  }, String)
}

export const indexAll: Contender = async (folder, scratch) => {
  const [{ SqliteSessionIndex }, storage] = await Promise.all([
    import("@treelog/index-sqlite"),
    LARGE_CLAUDE.open(folder, join(scratch, "cache")),
  ])
  const index = new SqliteSessionIndex({ storage, path: join(scratch, "index.db") })
  return work(
    async () => {
      const { read } = await index.update()
      await index.close()
      return read
    },
    (read) => read,
  )
}

/** The files of sessions, and of their parts. */
function filesIn(folder: string): string[] {
  const names = readdirSync(join(folder, ".claude", "projects"), { recursive: true, encoding: "utf8" })
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, ".claude", "projects", name))
}

/** Bytes. */
const END = 64 * 1024

/** Reads the beginning and the end of each session, as Claude Code itself does for its list. */
export const readEnds: Contender = async (folder) =>
  work(
    () => {
      const block = Buffer.allocUnsafeSlow(END)
      const paths = filesIn(folder).filter((path) => !path.includes("subagents"))
      for (const path of paths) {
        const file = openSync(path, "r")
        for (const offset of [0, Math.max(0, statSync(path).size - END)]) readSync(file, block, 0, END, offset)
        closeSync(file)
      }
      return paths.length
    },
    (files) => files,
  )

export const parseAll: Contender = readAndParse(filesIn)
