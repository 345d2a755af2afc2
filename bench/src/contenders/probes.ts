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

/** Reads a file and parses each of its lines: the least work without an index. */
export function readAndParse(fileIn: (folder: string) => string): Contender {
  return async (folder) =>
    work(
      () =>
        readFileSync(fileIn(folder), "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as unknown),
      ({ length }) => length,
    )
}
