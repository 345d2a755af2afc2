// Makes one file of data, or a store, in a process of its own so that the one that takes samples stays small. Called by main.ts.
import { closeSync, fsyncSync, openSync, renameSync } from "node:fs"
import { writeLines } from "@treelog-internal/test-kit/generator"
import { writeDistinctSessions } from "./src/data/distinct-sessions.js"
import { linesOf } from "./src/data/lines-of.js"
import type { Recipe } from "./src/data/recipe.js"

const [recipe = "", path = ""] = process.argv.slice(2)

const part = `${path}.${process.pid}.part`
const data = JSON.parse(recipe) as Recipe
if (data.kind === "store") writeDistinctSessions(part, data)
else {
  writeLines(part, linesOf(data))
  // Nothing is left to write when the first sample syncs something.
  const file = openSync(part, "r+")
  fsyncSync(file)
  closeSync(file)
}
renameSync(part, path)
