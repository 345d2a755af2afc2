import { execFile, spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { storeIn } from "../data/shared-store.js"
import type { Contender } from "../question.js"
import { work } from "../work.js"
import { loadPi } from "./pi.js"
import { readAndParse } from "./probes.js"

const run = promisify(execFile)

/** The least work of a first build. */
export const parseAll: Contender = readAndParse(filesIn)

/** The files with a word, by `grep`: it reads the bytes as they are, and knows nothing of sessions. */
export function grep(word: string): Contender {
  return async (folder) =>
    work(
      () => run("grep", ["-rliF", word, sessionsIn(folder)], { maxBuffer: Number.POSITIVE_INFINITY }),
      ({ stdout }) => stdout.split("\n").length - 1,
    )
}

/** A scan by ripgrep, which uses all cores. */
export function ripgrep(word: string): Contender {
  return async (folder) =>
    work(
      () => run("rg", ["-liF", "--no-ignore", word, sessionsIn(folder)], { maxBuffer: Number.POSITIVE_INFINITY }),
      ({ stdout }) => stdout.split("\n").length - 1,
    )
}

export function hasRipgrep(): boolean {
  return spawnSync("rg", ["--version"]).status === 0
}

/** The entries with a word, by a scan through the core without an index. */
export function scanThroughCore(word: string): Contender {
  return async (folder) => {
    const [{ splitLines, parseLine, toEntry }, { entryFacts, foldText }] = await Promise.all([
      import("@treelog/session-core/adapter"),
      import("@treelog/session-core/search"),
    ])
    const find = async (): Promise<number> => {
      let found = 0
      for (const path of filesIn(folder))
        for await (const line of splitLines([readFileSync(path)]))
          for (const record of parseLine(line).records) {
            const entry = toEntry(record)
            if (entry && entryFacts(entry).texts.some(({ text }) => foldText(text).includes(word))) found += 1
          }
      return found
    }
    return work(find, (found) => found)
  }
}

/** The search in pi's list of sessions: it reads all of them, and matches the texts of their messages. */
export function searchPi(word: string): Contender {
  return async (folder) => {
    process.env.PI_CODING_AGENT_DIR = join(storeIn(folder), "agent")
    const manager = await loadPi()
    return work(
      async () =>
        (await manager.listAll()).filter(({ allMessagesText }) => allMessagesText.toLowerCase().includes(word)),
      ({ length }) => length,
    )
  }
}

function sessionsIn(folder: string): string {
  return join(storeIn(folder), "agent", "sessions")
}

function filesIn(folder: string): string[] {
  const root = sessionsIn(folder)
  return readdirSync(root).flatMap((bucket) => readdirSync(join(root, bucket)).map((name) => join(root, bucket, name)))
}
