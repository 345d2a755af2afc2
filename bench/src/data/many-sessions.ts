import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { generateSession, writeLines } from "@treelog-internal/test-kit/generator"

const FOLDER = "sessions"
/** About 0.4 MB. */
const ENTRIES = 180

/** Writes sessions of about 0.4 MB each, all different, into a folder of the case's. */
export function writeSessions(folder: string, count: number): void {
  mkdirSync(join(folder, FOLDER))
  for (let index = 0; index < count; index++) {
    const shape = { seed: index + 1, style: "pi", entries: ENTRIES, images: 0, edits: 0 } as const
    writeLines(join(folder, FOLDER, `${String(index).padStart(4, "0")}.jsonl`), generateSession(shape))
  }
}

export function sessionsIn(folder: string): string[] {
  return readdirSync(join(folder, FOLDER)).map((name) => join(folder, FOLDER, name))
}
