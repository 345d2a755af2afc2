import { readFileSync } from "node:fs"
import type { Contender } from "../question.js"
import { work } from "../work.js"

/** Reads a file into memory, and does nothing with it. */
export function readAlone(fileIn: (folder: string) => string): Contender {
  return async (folder) =>
    work(
      () => readFileSync(fileIn(folder)),
      ({ length }) => length,
    )
}

/** Reads files, and parses each of their lines, one after the other: the least that reading all of them takes. */
export function readAndParse(filesIn: (folder: string) => readonly string[]): Contender {
  return async (folder) =>
    work(() => {
      let lines = 0
      for (const path of filesIn(folder))
        for (const line of readFileSync(path, "utf8").split("\n")) if (isParsed(line)) lines += 1
      return lines
    }, String)
}

/** Whether a line is an object: generated files of Claude Code have a few that were cut off. */
function isParsed(line: string): boolean {
  if (line === "") return false
  try {
    return typeof JSON.parse(line) === "object"
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
