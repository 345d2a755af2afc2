import { join } from "node:path"
import { CodexStorage } from "@treelog/agents/codex"
import { type SessionEntry, SessionManager } from "@treelog/session-core"
import { FactCollector } from "@treelog/session-core/adapter"
import { generateCodexHome } from "@treelog-internal/test-kit/codex"
import { expect, it } from "vitest"
import { TestHome } from "../home.js"
import { A, item, meta, said, text } from "../rollout-lines.js"

const listing = { size: 0, modified: 0, identity: "" }

/** What all entries of a session say. */
function factsOf(entries: readonly SessionEntry[]) {
  const facts = new FactCollector()
  for (const entry of entries) facts.addEntry(entry as unknown as Record<string, unknown>)
  const { firstMessage, status, modified } = facts.facts(listing)
  return { firstMessage, status, modified }
}

it.each([
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((seed) => ({ seed, rollouts: 10 })),
  // Of longer ones, only the end is read.
  ...[9, 10, 11].map((seed) => ({ seed, rollouts: 10, turns: 12 })),
])(
  "lists say of a thread what reading the whole of it says: first prompt, last activity, how it ended (%o)",
  async (generated) => {
    const home = await TestHome.make(generateCodexHome(generated))
    try {
      const storage = new CodexStorage({ dir: home.dir, cacheDir: null, env: {} })
      const sessions = new SessionManager({ storage })
      let count = 0
      for await (const { path, firstMessage, status, modified } of sessions.listAll()) {
        const session = await sessions.open(join(path), { access: "read" })
        const whole = factsOf(session.getEntries())
        await session.close()
        if (whole.modified > 0) expect({ path, firstMessage, status, modified }).toEqual({ path, ...whole })
        count++
      }
      expect(count).toBeGreaterThan(0)
    } finally {
      await home.remove()
    }
  },
)

it("lists say when a thread was active last, where nothing but results of calls stands at its end", async () => {
  const calls = ["c1", "c2", "c3"]
  const lines = [
    ...[meta(A), said("user", "Hello")],
    ...calls.map((call_id) => item({ type: "function_call", call_id, name: "shell", arguments: "{}" })),
    ...calls.map((call_id) => item({ type: "function_call_output", call_id, output: "x".repeat(6_000) })),
  ]
  const home = await TestHome.make([
    { name: `sessions/2026/03/07/rollout-2026-03-07T14-00-00-${A}.jsonl`, text: text(lines) },
  ])
  const sessions = new SessionManager({ storage: new CodexStorage({ dir: home.dir, cacheDir: null, env: {} }) })
  for await (const { path, status, modified } of sessions.listAll()) {
    const session = await sessions.open(path, { access: "read" })
    expect({ status, modified }).toEqual({ status: "interrupted", modified: factsOf(session.getEntries()).modified })
    await session.close()
  }
  await home.remove()
})
