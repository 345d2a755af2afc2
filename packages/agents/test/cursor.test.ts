import { join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import { describe, it } from "vitest"
import { agent } from "../src/cursor/agent.js"
import { openAgentStorage } from "../src/kit.js"
import { agentContract } from "../src/testing.js"
import { addBubbles, addComposer, bubble, reply, user, withCursor, workspace } from "./cursor-database.js"

const idOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)
const turn = (text: string) => [user(text), reply("Answer")]

agentContract(
  { describe, it },
  {
    name: "cursor",
    ids: ["8d2b6a0e-5f51-4a86-9a3f-0d6f8a0c1b11", "0b8f2c4d-7d0e-4f5a-8c52-1f6f0f6f2a22"],
    loadDriver,
    open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, env: {}, fs, loadDriver }),
    write: (dir, { id, cwd, said }) =>
      withCursor(dir, (db) => {
        addComposer(db, id, said.flatMap(turn), { workspaceIdentifier: workspace(cwd) })
        return join(dir, "globalStorage", "state.vscdb", id)
      }),
    say: (dir, key, text) => withCursor(dir, (db) => addBubbles(db, idOf(key), turn(text))),
    remove: (dir, key) =>
      withCursor(dir, (db) => {
        db.prepare("DELETE FROM cursorDiskKV WHERE instr(key, ?) > 0").run(idOf(key))
      }),
    addUnknown: (dir, key) =>
      withCursor(dir, (db) => {
        addBubbles(db, idOf(key), [bubble(7, {})])
        return "bubble:7"
      }),
  },
)
