import type { FsPort } from "@treelog-internal/fs"
import { itemTexts } from "../convert/copied-items.js"
import { rolloutLines } from "./read-rollout.js"

/** How many items at the start of a rollout are those of another one. */
export async function countCopiedItems(fs: FsPort, original: string, copy: string): Promise<number> {
  const theirs = allItems(fs, original)
  let count = 0
  try {
    for await (const text of allItems(fs, copy)) {
      const next = await theirs.next()
      if (next.done || next.value !== text) break
      count++
    }
  } finally {
    await theirs.return(undefined)
  }
  return count
}

async function* allItems(fs: FsPort, path: string): AsyncGenerator<string> {
  for await (const line of rolloutLines(fs, path)) yield* itemTexts([line])
}
