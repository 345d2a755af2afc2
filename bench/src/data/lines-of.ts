import { generateSession } from "@treelog-internal/test-kit/generator"
import type { Recipe, StoreRecipe } from "./recipe.js"
import { chain, compacted, labelled, longLine, siblings } from "./shapes.js"

/** The lines of a recipe, made as they are asked for, each with its line end. */
export function linesOf(recipe: Exclude<Recipe, StoreRecipe>): Iterable<string> {
  if (recipe.kind === "session") {
    const { kind: _, ...shape } = recipe
    return generateSession(shape)
  }
  if (recipe.kind === "long line") return longLine(recipe.bytes)
  if (recipe.kind === "compacted") return compacted(recipe.entries, recipe.checkpoints ?? false)
  return { chain, siblings, labelled }[recipe.kind](recipe.entries)
}
