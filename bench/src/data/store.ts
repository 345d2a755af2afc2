import { copyFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { generateSession, Random, writeLines } from "@treelog-internal/test-kit/generator"

/** So many sessions are written; the others are copies of them, which takes less time. */
const WRITTEN = 150
const FOLDERS = 60
/** About 360 KB. */
const ENTRIES = 140
const START = Date.UTC(2026, 2, 2, 9)

/** A store in pi's format under `agent` in the folder: sessions of many sizes, from a few KB to some MB, in 60 folders. */
export function writeStore(folder: string, sessions: number): void {
  const random = new Random(5)
  const pathOf = (index: number): string => {
    const bucket = join(folder, "agent", "sessions", `--home-dev-project-${index % FOLDERS}--`)
    mkdirSync(bucket, { recursive: true })
    const start = new Date(START + index * 3_600_000).toISOString().replace(/[:.]/g, "-")
    return join(bucket, `${start}_01a1ffe2-d280-7bb1-a556-${index.toString(16).padStart(12, "0")}.jsonl`)
  }
  for (let index = 0; index < sessions; index++) {
    if (index >= WRITTEN) copyFileSync(pathOf(index % WRITTEN), pathOf(index))
    else {
      const entries = Math.min(20 * ENTRIES, random.size(ENTRIES))
      writeLines(pathOf(index), generateSession({ seed: index + 1, style: "pi", entries, images: 0.005 }))
    }
  }
}
