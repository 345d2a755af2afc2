import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { loadDriver } from "@treelog/index-sqlite"
import { SessionManager } from "@treelog/session-core"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { opencode as agent } from "./door.js"
import { addMessage, addSession, REPLY, text, USER, withOpencode } from "./opencode-database.js"

const KINDS = [
  ...["prompt", "reply", "call", "other model", "chat", "failed"],
  ...["question", "question that keeps", "summary", "failed summary", "unasked summary"],
] as const
type Kind = (typeof KINDS)[number]
/** Most of what real sessions have. */
const USUAL = ["prompt", "reply", "call", "question", "question that keeps", "summary", "summary"] as const

const CALL = {
  ...{ type: "tool", tool: "bash", callID: "c" },
  state: { status: "completed", input: { command: "ls" }, output: "one", time: { end: 1 } },
}
const CHAT_REPLY = { ...REPLY, providerID: "openrouter", modelID: "glm", tokens: undefined }

/** Adds a message. @param kept the message from which a compaction keeps @param question the one that a summary answers */
function add(db: SqliteDatabase, at: number, kind: Kind, kept: string, question: string): string {
  const reply = (data: object, parts: readonly object[] = [text(`Answer ${at}`)]) =>
    addMessage(db, "a", at, { ...REPLY, ...data }, parts as Record<string, unknown>[])
  const failed = { error: { name: "APIError", data: { message: "no" } } }
  const summary = { summary: true, parentID: kind === "unasked summary" ? "msg_9999" : question }
  switch (kind) {
    case "prompt":
      return addMessage(db, "a", at, USER, [text(`Prompt ${at}`)])
    case "question":
      return addMessage(db, "a", at, USER, [{ type: "compaction", auto: true }])
    case "question that keeps":
      return addMessage(db, "a", at, USER, [{ type: "compaction", auto: true, tail_start_id: kept }])
    case "reply":
      return reply({})
    case "call":
      return reply({ finish: "tool-calls" }, [text("Look"), CALL])
    case "other model":
      return reply({ modelID: "claude-opus-5" })
    case "chat":
      return reply(CHAT_REPLY)
    case "failed":
      return reply(failed)
    case "failed summary":
      return reply({ ...summary, ...failed })
    default:
      return reply(summary)
  }
}

/** Whether the end of a session was enough for its context, which is then compared with that of all of it. */
async function isEnough(kinds: readonly (readonly [kind: Kind, number])[], revert?: number): Promise<boolean> {
  const dir = await mkdtemp(join(tmpdir(), "treelog-opencode-"))
  try {
    await withOpencode(dir, (db) => {
      const ids: string[] = []
      let question = "msg_0001"
      for (const [at, [kind, number]] of kinds.entries()) {
        const id = add(db, at + 1, kind, ids[number % Math.max(1, ids.length)] ?? "none", question)
        if (kind.startsWith("question")) question = id
        ids.push(id)
      }
      const messageID = revert !== undefined && ids[revert % ids.length]
      addSession(db, "a", 0, messageID ? { revert: JSON.stringify({ messageID }) } : {})
    })
    const key = join(dir, "opencode.db", "a")
    const opened = () => openAgentStorage(agent, { dir, cacheDir: null, env: {}, loadDriver })
    const storage = opened()
    const end = await storage.end?.(key, { withParts: false })
    const context = await new SessionManager({ storage }).readContext(key)
    const session = await new SessionManager({ storage: opened() }).open(key, { access: "read" })
    try {
      expect(context).toEqual(session.buildSessionContext())
      if (end) expect(session.getBranch().map(({ id }) => id)).toEqual(expect.arrayContaining(end.map(({ id }) => id)))
    } finally {
      await session.close()
    }
    return end !== undefined
  } finally {
    await rm(dir, { recursive: true })
  }
}

const all = (...kinds: readonly Kind[]) => kinds.map((kind): [Kind, number] => [kind, 1])

describe("the end of a session of opencode", () => {
  it("says the context from the last summary on, and from the first message that it kept", async () => {
    const before = ["prompt", "reply", "prompt", "call"] as const
    expect(await isEnough(all(...before, "question", "summary", "prompt", "reply"))).toBe(true)
    expect(await isEnough(all(...before, "question that keeps", "summary", "prompt", "reply"))).toBe(true)
  })

  it("is not enough without a summary, of one that answers what is not there, for APIs of chats, or where something was taken back", async () => {
    const compacted = ["prompt", "reply", "question", "summary", "prompt", "reply"] as const
    expect(await isEnough(all("prompt", "reply"))).toBe(false)
    expect(await isEnough(all("prompt", "reply", "unasked summary", "prompt"))).toBe(false)
    expect(await isEnough(all(...compacted, "chat"))).toBe(false)
    expect(await isEnough(all(...compacted), 0)).toBe(false)
  })

  it("gives the context of all of it, whatever was said and compacted", async () => {
    let enough = 0
    const kinds = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...USUAL) }, fc.constantFrom(...KINDS))
    const some = fc.array(fc.tuple(kinds, fc.nat(30)), { maxLength: 12 })
    const asked = fc.tuple(fc.constantFrom<Kind>("question", "question that keeps"), fc.nat(30))
    const taken = fc.option(fc.nat(30), { freq: 8, nil: undefined })
    const property = fc.asyncProperty(some, asked, some, taken, async (before, question, behind, revert) => {
      const compacted = [question, ["summary", 0], ["reply", 0]] as const
      if (await isEnough([...before, ...compacted, ...behind], revert)) enough++
    })
    // Of few orders none may be enough.
    const usual: Parameters<typeof property.run>[0] = [
      all("prompt", "reply"),
      ["question", 0],
      all("prompt"),
      undefined,
    ]
    await fc.assert(property, { numRuns: tries(100), examples: [usual] })
    expect(enough).toBeGreaterThan(0)
  })
})
