import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Recipe } from "./recipe.js"

// Beside main.js, in a bundle of its own: what is in it decides what the data is.
const MAKER = fileURLToPath(new URL("make-data.js", import.meta.url))
const run = promisify(execFile)

/** Holds a folder for each version of the code that makes data. */
const ROOT = join(tmpdir(), "treelog-bench-data")
/** A folder that no run has used for so long is removed. */
const KEPT_MS = 24 * 3_600_000

/** The path of a file, or of the folder of a store, made by a recipe: of an earlier run, where there was one. It must not be written to. */
export async function dataFile(recipe: Recipe): Promise<string> {
  const folder = join(ROOT, hashOf(readFileSync(MAKER)))
  mkdirSync(folder, { recursive: true })
  utimesSync(folder, new Date(), new Date())
  removeOld()
  const suffix = recipe.kind === "store" ? "" : ".jsonl"
  const path = join(folder, `${wordsOf(recipe).join("-")}-${hashOf(JSON.stringify(recipe))}${suffix}`)
  if (!existsSync(path)) await run(process.execPath, [MAKER, JSON.stringify(recipe), path])
  return path
}

/** For people who look into the folder. */
function wordsOf(recipe: Recipe): (string | number)[] {
  if (recipe.kind === "session") return [recipe.style, recipe.entries]
  if (recipe.kind === "store") return [recipe.kind, recipe.sessions, recipe.entries]
  return recipe.kind === "long line" ? ["line", recipe.bytes] : [recipe.kind, recipe.entries]
}

function removeOld(): void {
  for (const name of readdirSync(ROOT)) {
    const folder = join(ROOT, name)
    if (statSync(folder).mtimeMs < Date.now() - KEPT_MS) rmSync(folder, { recursive: true })
  }
}

function hashOf(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex").slice(0, 12)
}
