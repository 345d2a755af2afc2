import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { ClaudeCodeStorage } from "@treelog/agents/claude-code"
import { CodexStorage } from "@treelog/agents/codex"
import { buildSessionContext, type Message, type Session, type SessionEntry } from "@treelog/session-core"
import { importSession } from "@treelog/session-core/maintenance"
import { tries } from "@treelog-internal/test-kit"
import { generateClaudeFile } from "@treelog-internal/test-kit/claude-code"
import { generateCodexHome } from "@treelog-internal/test-kit/codex"
import { Random } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"
import { asPiContext, leavesOf, plainContext } from "./as-pi-sees.js"
import { grow } from "./grow.js"
import { type PiSession, pi } from "./pi.js"
import { expectSameEntries } from "./same-session.js"
import { openWorkshop } from "./workshop.js"

/** Writes sessions of an agent into a folder, and opens it. */
const AGENTS = {
  "Claude Code": (folder: string, seed: number) => {
    for (let file = 0; file < 4; file++) {
      const { sessionId, lines } = generateClaudeFile(seed * 4 + file, 40)
      write(join(folder, "projects", "x", `${sessionId}.jsonl`), lines.map((line) => `${line}\n`).join(""))
    }
    return new ClaudeCodeStorage({ dir: folder, cacheDir: null, env: {} })
  },
  Codex: (folder: string, seed: number) => {
    for (const { name, text } of generateCodexHome({ seed, rollouts: 10 })) write(join(folder, name), text)
    return new CodexStorage({ dir: folder, cacheDir: null, env: {} })
  },
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/**
 * Both programs have the same session, and the same context on every leaf: without the edits and resets, which pi 0.74.2 does not know, and without
 * the history that OpenAI compacted, which is for OpenAI alone.
 */
function expectSameImport(ours: Session, theirs: PiSession): void {
  expectSameEntries(ours, theirs)
  // pi knows no result of a call that was lost with its process.
  const entries = theirs.getEntries().map((entry) => {
    if (entry.type !== "message") return entry
    const { lostResult: _, ...message } = (entry as unknown as { message: { lostResult?: unknown } }).message
    return { ...entry, message }
  })
  const known = entries.map((entry): SessionEntry => {
    if (entry.type === "context_edit" || entry.type === "reset_boundary")
      return { ...entry, type: "custom", customType: "edit" } as SessionEntry
    if (!("preserveData" in entry)) return entry
    const { preserveData: _, ...rest } = entry
    return rest as SessionEntry
  })
  for (const leafId of [ours.getLeafId() ?? "", ...leavesOf(entries)]) {
    const expected = plainContext(pi.buildSessionContext(entries, leafId))
    expect(asPiContext(buildSessionContext(known, leafId))).toEqual(expected)
  }
}

describe.each(Object.entries(AGENTS))("a session imported from %s", (_, open) => {
  test.each(Array.from({ length: tries(2) }, (_, at) => at + 1))(
    "is read by pi as by treelog, and both go on with it (seed %i)",
    async (seed) => {
      const { sessions, path } = openWorkshop()
      const storage = open(path("agent-folder"), seed)
      let [imported, grown] = [0, 0]
      for await (const { key } of storage.list()) {
        const report = await importSession(sessions, key, { storage })
        imported++
        const theirs = pi.SessionManager.open(report.to)
        const ours = await sessions.open(report.to)
        expectSameImport(ours, theirs)
        // pi's terminal adds up the cost of every reply.
        for (const entry of theirs.getEntries().filter(isReply))
          expect(entry).toHaveProperty("message.usage.cost.total", 0)
        // With the first reply, pi writes all entries, also those of a file that it has opened.
        if (!ours.getEntries().some(isReply)) continue
        grown++
        const random = new Random(seed)
        grow(theirs, random, 12)
        await ours.close()
        const again = await sessions.open(report.to)
        expectSameImport(again, pi.SessionManager.open(report.to))
        grow(again, random, 12)
        await again.close()
        expectSameImport(await sessions.open(report.to, { access: "read" }), pi.SessionManager.open(report.to))
      }
      expect(Math.min(imported, grown)).toBeGreaterThan(0)
    },
  )
})

function isReply(entry: SessionEntry): boolean {
  return entry.type === "message" && "message" in entry && (entry.message as Message).role === "assistant"
}
