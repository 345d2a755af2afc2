import { mkdirSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { generateSession, Random, writeLines } from "@treelog-internal/test-kit/generator"
import { rareWord, withRareWords } from "./rare-words.js"
import type { StoreRecipe } from "./recipe.js"

const FOLDERS = 60
const START = Date.UTC(2026, 0, 2, 9)
/** So that 3,000 sessions take most of a year. Milliseconds. */
const APART = 2.5 * 3_600_000
/** So many sessions lie between two that have a name and a label. */
const NAMED = 10

/** Writes sessions in pi's format, each with ids, times and words of its own, into 60 folders; the last written is the newest. */
export function writeDistinctSessions(root: string, { sessions, entries: mean, toolOutput }: StoreRecipe): void {
  const random = new Random(5)
  for (let index = 0; index < sessions; index++) {
    const cwd = `/home/dev/project-${index % FOLDERS}`
    const start = START + index * APART
    const bucket = join(root, `-${cwd.replaceAll("/", "-")}--`)
    mkdirSync(bucket, { recursive: true })
    const entries = Math.min(20 * mean, random.size(mean))
    const shape = {
      seed: index + 1,
      style: "pi",
      entries,
      images: 0.005,
      cwd,
      start,
      ...(toolOutput && { toolOutput }),
    } as const
    const name = `${new Date(start).toISOString().replace(/[:.]/g, "-")}_${index.toString(16).padStart(32, "0")}.jsonl`
    writeLines(join(bucket, name), linesOf(shape, index, random))
    // As if each was left alone before the next began: the newest come first in lists and in an index.
    utimesSync(join(bucket, name), (start + APART) / 1000, (start + APART) / 1000)
  }
}

function* linesOf(shape: Parameters<typeof generateSession>[0], index: number, random: Random): Generator<string> {
  for (const line of generateSession(shape)) yield withRareWords(line, random)
  if (index % NAMED > 0) return
  const timestamp = new Date((shape.start ?? 0) + APART).toISOString()
  const info = { type: "session_info", id: "named001", parentId: null, timestamp, name: `Fix the ${rareWord(index)}` }
  yield `${JSON.stringify(info)}\n`
  const label = {
    type: "label",
    id: "label001",
    parentId: "named001",
    timestamp,
    targetId: "named001",
    label: "half-way done",
  }
  yield `${JSON.stringify(label)}\n`
}
