import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { claudePrompt, codexPrompt, promptsOfFile, promptsOfSessions } from "@treelog/history-sqlite"
import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { describe, expect, it } from "vitest"
import { tempFolder } from "./temp-folder.js"

const CLAUDE = { display: "fix it", pastedContents: {}, timestamp: 1_760_000_000_123, project: "/a", sessionId: "s1" }
const CODEX = { session_id: "s2", ts: 1_760_000_000, text: "fix that" }

describe("claudePrompt", () => {
  it("reads the text, the time in milliseconds, the folder and the session", () => {
    const expected = { text: "fix it", createdAt: 1_760_000_000_123, cwd: "/a", sessionId: "s1" }
    expect(claudePrompt(JSON.stringify(CLAUDE))).toEqual(expected)
    const { sessionId, ...old } = CLAUDE
    expect(claudePrompt(JSON.stringify(old))).toEqual({ ...expected, sessionId: undefined })
  })

  it("has what was pasted in its place, from the line or from a file, and the mark where it is gone", () => {
    const display =
      "Explain [Pasted text #1 +2 lines] and [Pasted text #2], not [Pasted text #3 +9 lines] or [Image #4]"
    const pastedContents = {
      1: { id: 1, type: "text", content: "a $& b\nc" },
      2: { id: 2, type: "text", contentHash: "abc" },
      3: { id: 3, type: "text", contentHash: "gone" },
      4: { id: 4, type: "image", content: "AAAA" },
    }
    const line = JSON.stringify({ ...CLAUDE, display, pastedContents })
    const expected = "Explain a $& b\nc and kept, not [Pasted text #3 +9 lines] or [Image #4]"
    expect(claudePrompt(line, (hash) => (hash === "abc" ? "kept" : undefined))).toMatchObject({ text: expected })
  })

  it.each(["[...Truncated text #1 +50 lines...]", "[✦ Team setup guide #1]"])(
    "has the text in the place of %s",
    (mark) => {
      const pastedContents = { 1: { id: 1, type: "text", content: "all\nof it" } }
      const line = JSON.stringify({ ...CLAUDE, display: `Begin ${mark} end`, pastedContents })
      expect(claudePrompt(line)?.text).toBe("Begin all\nof it end")
    },
  )

  it.each(["", "{", "null", "[1]", '"x"', JSON.stringify(CODEX), '{"display":1,"timestamp":2}'])(
    "reads no prompt in %s",
    (line) => {
      expect(claudePrompt(line)).toBeUndefined()
    },
  )
})

describe("codexPrompt", () => {
  it("reads the text, the time in seconds and the session", () => {
    expect(codexPrompt(JSON.stringify(CODEX))).toEqual({
      text: "fix that",
      createdAt: 1_760_000_000_000,
      sessionId: "s2",
    })
  })

  it.each(["", "nonsense", JSON.stringify(CLAUDE), '{"ts":"1","text":"x"}'])("reads no prompt in %s", (line) => {
    expect(codexPrompt(line)).toBeUndefined()
  })
})

describe("promptsOfFile", () => {
  it("reads a file line by line, and reports which lines it skipped", async () => {
    const path = join(tempFolder(), "history.jsonl")
    const last = { ...CLAUDE, display: "two\nlines\u2028" }
    writeFileSync(path, `${JSON.stringify(CLAUDE)}\r\n\nnot json\n${JSON.stringify(CODEX)}\n${JSON.stringify(last)}`)
    const [texts, skipped]: [string[], number[]] = [[], []]
    for await (const { text } of promptsOfFile(path, claudePrompt, (line) => skipped.push(line))) texts.push(text)
    expect([texts, skipped]).toEqual([
      ["fix it", "two\nlines\u2028"],
      [3, 4],
    ])
  })

  it("fails where there is no file", async () => {
    const prompts = promptsOfFile(join(tempFolder(), "none"), codexPrompt)
    await expect(prompts.next()).rejects.toMatchObject({ code: "ENOENT" })
  })
})

describe("promptsOfSessions", () => {
  it("gives the user's messages of all sessions, and reports which could not be read", async () => {
    const storage = new MemorySessionStorage()
    const sessions = new SessionManager({ storage })
    for (const cwd of ["/a", "/b"]) {
      const session = await sessions.create(cwd)
      session.appendMessage({ role: "user", content: `asked in ${cwd}`, timestamp: 5000 })
      session.appendMessage({
        role: "assistant",
        content: [{ type: "text", text: "answer" }],
        timestamp: 6000,
      } as never)
      session.appendMessage({ role: "user", content: "<file>and again", prompt: "and again", timestamp: 7000 })
      session.appendMessage({ role: "user", content: "A task is done.", prompt: "", timestamp: 8000 })
      await session.close()
    }
    const broken = await storage.lease("memory:/c/0123", { access: "exclusive", waitMs: 0 })
    await broken.create([new TextEncoder().encode("no session\n")])
    await broken.release()
    const [prompts, faults]: [string[], string[]] = [[], []]
    for await (const { text, cwd, sessionId, createdAt } of promptsOfSessions(sessions, (path) => faults.push(path))) {
      expect(sessionId).toMatch(/^[0-9a-f-]{36}$/)
      expect(createdAt).toBeGreaterThan(Date.UTC(2024, 0, 1))
      prompts.push(`${cwd}: ${text}`)
    }
    expect(prompts.sort()).toEqual(["/a: and again", "/a: asked in /a", "/b: and again", "/b: asked in /b"])
    expect(faults).toEqual(["memory:/c/0123"])
  })
})
