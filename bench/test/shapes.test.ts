import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { expect, test } from "vitest"
import { linesOf } from "../src/data/lines-of.js"
import type { Recipe, StoreRecipe } from "../src/data/recipe.js"

const RECIPES: Exclude<Recipe, StoreRecipe>[] = [
  { kind: "chain", entries: 1_200 },
  { kind: "siblings", entries: 1_200 },
  { kind: "labelled", entries: 600 },
  { kind: "compacted", entries: 1_200 },
  { kind: "compacted", entries: 1_200, checkpoints: true },
  { kind: "long line", bytes: 100_000 },
  { kind: "session", seed: 1, style: "treelog", entries: 300 },
]

async function stored(recipe: Exclude<Recipe, StoreRecipe>): Promise<{ sessions: SessionManager; key: string }> {
  const storage = new MemorySessionStorage()
  const key = storage.keyFor({ id: "bench", timestamp: "2026-03-02T09:00:00.000Z", cwd: "/home/dev/shop" })
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([...linesOf(recipe)].map((line) => Buffer.from(line)))
  await lease.release()
  return { sessions: new SessionManager({ storage }), key }
}

test.each(RECIPES)("A session of %j has nothing wrong with it.", async (recipe) => {
  const { sessions, key } = await stored(recipe)
  expect((await verifySession(sessions, key)).diagnostics).toEqual([])
})

test("A compacted session has the same context with checkpoints and without, and it does not grow.", async () => {
  const contextOf = async (entries: number, checkpoints: boolean) => {
    const { sessions, key } = await stored({ kind: "compacted", entries, checkpoints })
    return sessions.readContext(key)
  }
  const without = await contextOf(2_000, false)
  expect(await contextOf(2_000, true)).toEqual(without)
  expect((await contextOf(4_000, true)).messages.length).toBe(without.messages.length)
})
