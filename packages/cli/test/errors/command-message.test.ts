import { TreelogError } from "@treelog/session-core"
import { expect, test } from "vitest"
import { adviceFor, commandMessage } from "../door.js"
import { sandbox } from "../sandbox.js"

/** What only a program can do. */
const CALL = /\b\w+\(/

test.each([["new"], ["import", "talk.jsonl"], ["fork", "talk.jsonl"]])(
  "where nothing can be stored, `%s` says why, and names no call of the API",
  async (...argv) => {
    const box = sandbox()
    const talk = box.write(
      "project/talk.jsonl",
      `${JSON.stringify({ type: "session", version: 3, id: "talk", timestamp: "2026-03-07T14:00:00.000Z", cwd: "/shop" })}\n`,
    )
    const agentDir = `${box.write("a-file", "")}/agent`
    for (const json of [[], ["--json"]]) {
      const { code, stderr } = await box.run([...argv.map((word) => word.replace(/^talk.*/, talk)), ...json], {
        env: { TREELOG_AGENT_DIR: agentDir },
      })
      expect(code).toBe(1)
      expect(stderr).toContain("ENOTDIR")
      expect(stderr).not.toMatch(CALL)
    }
  },
)

test("on a full disk, the reason is reported once, with what was not stored and what frees room", () => {
  const full = new TreelogError("StorageError", "Cannot append /s.jsonl: ENOSPC", {
    key: "/s.jsonl",
    operation: "append",
    errno: "ENOSPC",
  })
  const error = new TreelogError(
    "PersistError",
    "retry() writes them again.",
    { key: "/s.jsonl", pending: 2 },
    { cause: full },
  )
  expect(commandMessage(error)).toBe(
    "The session could not be stored: Cannot append /s.jsonl: ENOSPC. 2 entries were not stored. Run the command again when that is fixed.",
  )
  expect(adviceFor(error)).toEqual([
    expect.stringContaining("`treelog trash empty --apply` and `treelog blobs gc --apply` free some"),
  ])
  expect(adviceFor(new Error("else"))).toEqual([])
})

test("an entry that there is not, and tables that are missing, are answered with a command", () => {
  const gone = new TreelogError("EntryNotFoundError", "getEntries() has it not", { id: "x", session: "talk" })
  expect(commandMessage(gone)).toBe('No entry of session talk has the id "x". `treelog tree` lists them.')
  const data = { key: "talk", operation: "list", errno: "42P01" }
  expect(commandMessage(new TreelogError("StorageError", "run migrate(client)", data))).toBe(
    "PostgreSQL could not list talk (42P01). The tables are missing: run `treelog store migrate` with the same --store or TREELOG_STORE.",
  )
})

test.each([
  ["EACCES", "TREELOG_CACHE_DIR"],
  ["SQLITE_CANTOPEN", "TREELOG_CACHE_DIR"],
  [undefined, "TREELOG_CACHE_DIR"],
  ["SQLITE_FULL", "The disk is full."],
  ["ENOSPC", "The disk is full."],
])("an index that cannot be used with %s is advised what helps", (errno, advice) => {
  const key = "/home/ada/.cache/treelog/index-v22.db"
  const error = new TreelogError("StorageError", `${key} cannot be used`, { key, operation: "update", errno })
  expect(adviceFor(error)).toEqual([expect.stringContaining(advice)])
})

test("an index that another program has locked needs no advice", () => {
  const key = "/home/ada/.cache/treelog/index-v22.db"
  const data = { key, operation: "update", errno: "SQLITE_BUSY" }
  expect(adviceFor(new TreelogError("StorageError", `${key} cannot be used`, data))).toEqual([])
})

test("what may not be read gets no advice about where to write", () => {
  const data = { key: "/home/ada/a.jsonl", operation: "read", errno: "EACCES" }
  const error = new TreelogError("StorageError", "Cannot read /home/ada/a.jsonl: EACCES", data)
  expect(adviceFor(error)).toEqual(["  You may not read it: its owner may."])
})
