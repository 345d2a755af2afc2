import type { FsPort } from "@treelog-internal/fs"
import { type ComparedItem, compareCopied, itemsIn } from "../convert/copied-items.js"
import type { RolloutFile } from "../convert/thread-plan.js"
import { rolloutLines } from "./read-rollout.js"

/** How many items at the start of a rollout are those of another one. */
export async function countCopiedItems(fs: FsPort, original: string, copy: RolloutFile): Promise<number> {
  const theirs = allItems(fs, original)
  let count = 0
  try {
    for await (const item of allItems(fs, copy.name)) {
      let found = compareCopied(copy, item, await nextOf(theirs))
      while (found === "next") found = compareCopied(copy, item, await nextOf(theirs))
      if (found === "own") break
      count++
    }
  } finally {
    await theirs.return(undefined)
  }
  return count
}

async function nextOf(items: AsyncGenerator<ComparedItem>): Promise<ComparedItem | undefined> {
  return (await items.next()).value
}

async function* allItems(fs: FsPort, path: string): AsyncGenerator<ComparedItem> {
  for await (const line of rolloutLines(fs, path)) yield* itemsIn([line])
}
