import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadIndex } from "../contenders/session-index.js"
import { dataFile } from "./data-file.js"
import type { StoreRecipe } from "./recipe.js"

// Stores that several cases of one run use, since they take minutes to index. Each is in a folder with `agent`, `cache` and `index.db`,
// which goes when the run ends.

const NAME = "store"
const made = new Map<string, Promise<string>>()

/** Lets a case use the store of a recipe: see `storeIn`. */
export async function useStore(folder: string, recipe: StoreRecipe): Promise<string> {
  const name = JSON.stringify(recipe)
  const making = made.get(name) ?? makeStore(recipe)
  made.set(name, making)
  const store = await making
  symlinkSync(store, join(folder, NAME))
  return store
}

/** A store with an index that is up to date. */
export async function useIndexedStore(folder: string, recipe: StoreRecipe): Promise<void> {
  const index = await loadIndex(await useStore(folder, recipe))
  await index.update()
  await index.close()
}

/** The folder of the store that a case uses: a shared one, or its own. */
export function storeIn(folder: string): string {
  const shared = join(folder, NAME)
  return existsSync(shared) ? realpathSync(shared) : folder
}

/** The files are links to kept ones: one that is to be changed has to become a copy first. */
export function becomeCopy(path: string): void {
  copyFileSync(path, `${path}.part`)
  renameSync(`${path}.part`, path)
}

async function makeStore(recipe: StoreRecipe): Promise<string> {
  const kept = await dataFile(recipe)
  const folder = mkdtempSync(join(tmpdir(), "treelog-bench-store-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, "agent"))
  execFileSync("cp", ["-al", kept, join(folder, "agent", "sessions")])
  return folder
}
