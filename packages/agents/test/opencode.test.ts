import { join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { describe, it } from "vitest"
import { openAgentStorage } from "../src/kit.js"
import { agent } from "../src/opencode/agent.js"
import { agentContract } from "../src/testing.js"
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
