import { join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { loadDriver } from "@treelog/index-sqlite"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { describe, expect, it, test } from "vitest"
import { opencode as agent } from "./door.js"
import { inFolder } from "./in-folder.js"
import {
  addMessage,
  addSecondMessage,
  addSecondSession,
  addSession,
  REPLY,
  SECOND_REPLY,
  text,
  USER,
  withOpencode,
} from "./opencode-database.js"

const idOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)
let clock = 1

const first = {
  start: (db: SqliteDatabase, id: string, directory: string) => addSession(db, id, clock++, { directory }),
  say(db: SqliteDatabase, id: string, said: string): void {
    addMessage(db, id, clock++, USER, [text(said)])
    addMessage(db, id, clock++, REPLY, [{ type: "step-start" }, text("Answer"), { type: "step-finish" }])
  },
  unknown(db: SqliteDatabase, id: string): string {
    addMessage(db, id, clock++, USER, [{ type: "hologram" }, text("hello")])
    return "part:hologram"
  },
  tables: { session: "id", message: "session_id", part: "session_id" },
}

const second = {
  start: (db: SqliteDatabase, id: string, directory: string) => addSecondSession(db, id, clock++, { directory }),
  say(db: SqliteDatabase, id: string, said: string): void {
    addSecondMessage(db, id, clock++, "user", { text: said })
    addSecondMessage(db, id, clock++, "assistant", { ...SECOND_REPLY, content: [text("Answer")] })
  },
  unknown(db: SqliteDatabase, id: string): string {
    addSecondMessage(db, id, clock++, "hologram", {})
    return "session_message:hologram"
  },
  tables: { session_v2: "id", session_message: "session_id" },
}

for (const [name, form] of Object.entries({ "opencode 1": first, "opencode 2": second })) {
  agentContract(
    { describe, it },
    {
      name,
      ids: ["ses_aaaa", "ses_bbbb"],
      loadDriver,
      open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, env: {}, fs, loadDriver }),
      write: (dir, { id, cwd, said }) => {
        const add = (db: SqliteDatabase): string => {
          form.start(db, id, cwd)
          for (const one of said) form.say(db, id, one)
          return join(dir, "opencode.db", id)
        }
        return withOpencode(dir, add)
      },
      say: (dir, key, said) => withOpencode(dir, (db) => form.say(db, idOf(key), said)),
      remove: (dir, key) => {
        const remove = (db: SqliteDatabase): void => {
          for (const [table, column] of Object.entries(form.tables))
            db.prepare(`DELETE FROM ${table} WHERE ${column} = ?`).run(idOf(key))
        }
        return withOpencode(dir, remove)
      },
      addUnknown: (dir, key) => withOpencode(dir, (db) => form.unknown(db, idOf(key))),
    },
  )
}

test("a reply that was killed before it had its tokens has those of its steps, and one of several steps has all", async () => {
  const { dir, usage } = await inFolder(agent, {})
  const step = { type: "step-finish", cost: 0.02, tokens: { input: 300, output: 30, cache: { read: 10, write: 5 } } }
  const none = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
  await withOpencode(dir, (db) => {
    addSession(db, "ses_a", 1)
    addMessage(db, "ses_a", 2, USER, [text("Why?")])
    addMessage(db, "ses_a", 3, { ...REPLY, cost: 0, tokens: none }, [text("So."), step])
    const last = { input: 300, output: 30, reasoning: 0, cache: { read: 10, write: 5 } }
    addMessage(db, "ses_a", 4, { ...REPLY, cost: 0.04, tokens: last }, [text("One."), step, text("Two."), step])
    const cached = { type: "step-finish", tokens: { input: 0, output: 0, cache: { read: 500, write: 0 } } }
    addMessage(db, "ses_a", 5, { ...REPLY, cost: 0, tokens: none }, [cached])
  })
  expect(await usage()).toMatchObject({ input: 900, output: 90, cacheRead: 530, cacheWrite: 15 })
  expect((await usage())?.cost).toBeCloseTo(0.06)
})

test.each([
  ["apart from the output", { input: 1000, output: 100, reasoning: 400, total: 1500 }],
  [
    "in the output, as older versions count that of some models",
    { input: 1000, output: 500, reasoning: 400, total: 1500 },
  ],
])("reasoning %s counts once, of a message and of its steps", async (_, counts) => {
  const tokens = { ...counts, cache: { read: 0, write: 0 } }
  const { dir, usage } = await inFolder(agent, {})
  await withOpencode(dir, (db) => {
    addSession(db, "ses_a", 1)
    addMessage(db, "ses_a", 2, USER, [text("Why?")])
    addMessage(db, "ses_a", 3, { ...REPLY, cost: 0, tokens }, [text("So.")])
    addMessage(db, "ses_a", 4, { ...REPLY, cost: 0, tokens }, [text("So."), { type: "step-finish", tokens }])
  })
  expect(await usage()).toMatchObject({ input: 2000, output: 1000, reasoning: 800, totalTokens: 3000 })
})
