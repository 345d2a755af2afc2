import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import { applyChanges, type Change, journalsIn, undoChanges } from "@treelog-internal/agent-files/owner"
import { nodeFs } from "@treelog-internal/agent-files/write"
import { describe, expect, test } from "vitest"
import { LINES, ownedFiles } from "./owned-files.js"

describe("changes of an agent's files", () => {
  test("Paths move at their boundaries, in the members that are meant; all other bytes and the time stay.", async () => {
    const { agent, changes, state, options } = ownedFiles()
    const journal = await applyChanges(options, "relocate", changes)
    expect(journal.state).toBe("done")
    expect(state()).toEqual({
      "new/one.jsonl":
        '{"cwd":"/b/store","said":"in /a/shop"}\n{"n":1.50,"cwd":"/b/store/sub"}\n{"cwd":"/a/shopping"}\n{"cwd":"/a/sh',
      "new/one/result.txt": "result",
    })
    expect(statSync(join(agent, "new", "one.jsonl")).mtimeMs).toBe(1_000_000)
  })

  test("Undone, all bytes are what they were; what was appended since stays behind them.", async () => {
    const { agent, changes, state, options } = ownedFiles()
    const before = state()
    await undoChanges(options, await applyChanges(options, "relocate", changes))
    expect(state()).toEqual(before)
    expect(statSync(join(agent, "old", "one.jsonl")).mtimeMs).toBe(1_000_000)
    expect(await journalsIn(nodeFs, options.journals)).toEqual([])
    const journal = await applyChanges(options, "relocate", changes)
    appendFileSync(join(agent, "new", "one.jsonl"), "\nmore\n")
    expect(await undoChanges(options, journal)).toEqual([])
    expect(state()["old/one.jsonl"]).toBe(`${LINES}\nmore\n`)
  })

  test("What was rewritten since stays, and what it was is named and kept.", async () => {
    const { agent, changes, options } = ownedFiles()
    const journal = await applyChanges(options, "relocate", changes)
    writeFileSync(join(agent, "new", "one.jsonl"), "another")
    const [problem = ""] = await undoChanges(options, journal)
    const [, kept = ""] = /what it was is (.*)$/.exec(problem) ?? []
    expect(readFileSync(kept, "utf8")).toBe(LINES)
  })

  test("Nothing goes over what is there, and what was done before is undone.", async () => {
    const { agent, changes, state, options } = ownedFiles()
    mkdirSync(join(agent, "new", "one"), { recursive: true })
    const before = state()
    await expect(applyChanges(options, "relocate", changes)).rejects.toMatchObject({ code: "SessionExistsError" })
    expect(state()).toEqual(before)
    expect(await journalsIn(nodeFs, options.journals)).toEqual([])
  })

  test("Rows of a database get their values, and their former ones when that is undone.", async () => {
    const { agent, options } = ownedFiles()
    const path = join(agent, "state.sqlite")
    const db = (await loadDriver()).open(path)
    db.exec("CREATE TABLE threads (id TEXT, cwd TEXT, title TEXT); INSERT INTO threads VALUES ('one', '/a/shop', NULL)")
    db.close()
    const rows = async (): Promise<unknown> => {
      const open = (await loadDriver()).open(path)
      try {
        return open.prepare("SELECT * FROM threads").all()
      } finally {
        open.close()
      }
    }
    const change: Change = {
      kind: "row",
      path,
      table: "threads",
      id: { id: "one" },
      set: { cwd: "/b/store", title: "x" },
    }
    const journal = await applyChanges(options, "relocate", [change])
    expect(await rows()).toEqual([{ id: "one", cwd: "/b/store", title: "x" }])
    expect(await undoChanges(options, journal)).toEqual([])
    expect(await rows()).toEqual([{ id: "one", cwd: "/a/shop", title: null }])
  })
})
