import { join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import { describe, it } from "vitest"
import { openAgentStorage } from "../src/kit.js"
import { agent } from "../src/opencode/agent.js"
import { agentContract } from "../src/testing.js"
import { addMessage, addSession, REPLY, text, USER, withOpencode } from "./opencode-database.js"

const idOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)
let clock = 1

agentContract(
  { describe, it },
  {
    name: "opencode",
    ids: ["ses_aaaa", "ses_bbbb"],
    open: (dir, cacheDir) => openAgentStorage(agent, { dir, cacheDir, env: {}, loadDriver }),
    write: (dir, { id, cwd, said }) =>
      withOpencode(dir, (db) => {
        addSession(db, id, clock++, { directory: cwd })
        for (const one of said) {
          addMessage(db, id, clock++, USER, [text(one)])
          addMessage(db, id, clock++, REPLY, [{ type: "step-start" }, text("Answer"), { type: "step-finish" }])
        }
        return join(dir, "opencode.db", id)
      }),
    say: (dir, key, said) =>
      withOpencode(dir, (db) => {
        addMessage(db, idOf(key), clock++, USER, [text(said)])
        addMessage(db, idOf(key), clock++, REPLY, [text("Answer")])
      }),
    remove: (dir, key) =>
      withOpencode(dir, (db) => {
        for (const [table, column] of [
          ["session", "id"],
          ["message", "session_id"],
          ["part", "session_id"],
        ])
          db.prepare(`DELETE FROM ${table} WHERE ${column} = ?`).run(idOf(key))
      }),
    addUnknown: (dir, key) =>
      withOpencode(dir, (db) => {
        addMessage(db, idOf(key), clock++, USER, [{ type: "hologram" }, text("hello")])
        return "part:hologram"
      }),
  },
)
