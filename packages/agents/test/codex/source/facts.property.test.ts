import { join } from "node:path"
import { CodexStorage } from "@treelog/agents/codex"
import { type SessionEntry, SessionManager } from "@treelog/session-core"
import { FactCollector } from "@treelog/session-core/adapter"
import { generateCodexHome } from "@treelog-internal/test-kit/codex"
import { expect, it } from "vitest"
import { TestHome } from "../home.js"

const listing = { size: 0, modified: 0, identity: "" }

/** What all entries of a session say. */
function factsOf(entries: readonly SessionEntry[]) {
  const facts = new FactCollector()
  for (const entry of entries) facts.addEntry(entry as unknown as Record<string, unknown>)
  const { firstMessage, status, modified } = facts.facts(listing)
  return { firstMessage, status, modified }
}

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "lists say of a thread what reading the whole of it says: first prompt, last activity, how it ended (%i)",
  async (seed) => {
    const home = await TestHome.make(generateCodexHome({ seed, rollouts: 10 }))
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
