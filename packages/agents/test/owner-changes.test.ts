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

  test("Bytes that begin with the former ones, or end before them, are undone once.", async () => {
    for (const [before, after] of [
      ["/a/shop", "/a/shop-moved"],
      ["/a/shop-moved", "/a/shop"],
    ] as const) {
      const { agent, options } = ownedFiles()
      const path = join(agent, "root")
      writeFileSync(path, before)
      const change: Change = { kind: "rewrite", path, edit: () => [new TextEncoder().encode(after)] }
      const journal = await applyChanges(options, "relocate", [change])
      expect(readFileSync(path, "utf8")).toBe(after)
      // Killed before the journal is removed, it is undone again.
      const kept = readFileSync(join(options.journals, journal.id, "0"))
      expect(await undoChanges(options, journal)).toEqual([])
      expect(readFileSync(path, "utf8")).toBe(before)
      mkdirSync(join(options.journals, journal.id))
      writeFileSync(join(options.journals, journal.id, "0"), kept)
      expect(await undoChanges(options, journal)).toEqual([])
      expect(readFileSync(path, "utf8")).toBe(before)
    }
  })

  test("Of a JSON document, only the strings that move change: numbers, spaces and the order of names stay.", async () => {
    const { agent, options } = ownedFiles()
    const path = join(agent, "known.json")
    const text = (...folders: readonly string[]): string =>
      `{\n\t"n": 12345678901234567890.50,\n  "projects" : {"/x": {"cwd":"/a/shop"}, ${folders.map((one) => `${JSON.stringify(one)} : {"n":1e2}`).join(",")} },"cwd":"/a/shop"}\n`
    const at = [["projects", "{}"], ["cwd"], ["list", "*"]]
    const change: Change = { kind: "document", path, at, strings: { "/a/shop": '/b/"store"', "/a/one": "/b/one" } }
    writeFileSync(path, text("/a/shop", "/a/one", "/b/one"))
    const journal = await applyChanges(options, "relocate", [change])
    const moved = text('/b/"store"', "/a/one", "/b/one").replace('"cwd":"/a/shop"}\n', '"cwd":"/b/\\"store\\""}\n')
    expect(readFileSync(path, "utf8")).toBe(moved)
    // The agent has written all of it anew.
    const own = JSON.stringify({ ...JSON.parse(moved), list: ["/c"], n: 1 })
    writeFileSync(path, own)
    expect(await undoChanges(options, journal)).toEqual([])
    expect(readFileSync(path, "utf8")).toBe(own.replaceAll('/b/\\"store\\"', "/a/shop"))
    // A text of a prompt can be long.
    const prompt = JSON.stringify('\\"'.repeat(3_000_000))
    writeFileSync(path, `{"prompt":${prompt},"cwd":"/a/shop"}`)
    await applyChanges(options, "relocate", [{ ...change, strings: { "/a/shop": "/b" } }])
    expect(readFileSync(path, "utf8") === `{"prompt":${prompt},"cwd":"/b"}`).toBe(true)
    writeFileSync(path, "[]")
    await expect(applyChanges(options, "relocate", [change])).rejects.toMatchObject({ code: "InvalidSessionError" })
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
    const { options, rows, change } = await aRow({ cwd: "/b/store", title: "x" })
    const journal = await applyChanges(options, "relocate", [change])
    expect(await rows()).toEqual([{ id: "one", cwd: "/b/store", title: "x", place: 100 }])
    expect(await undoChanges(options, journal)).toEqual([])
    expect(await rows()).toEqual([{ id: "one", cwd: "/a/shop", title: null, place: 100 }])
  })

  test("What the agent has written to a row since stays and is named, and a place moves back by as much as it was moved, once.", async () => {
    const { options, rows, change, run } = await aRow({ cwd: "/b/store", title: "x", place: 107 })
    const journal = await applyChanges(options, "relocate", [change])
    await run("UPDATE threads SET title = 'own', place = 157")
    const expected = [{ id: "one", cwd: "/a/shop", title: "own", place: 150 }]
    const problem = `title of ${change.path} was changed since, and stays`
    expect(await undoChanges(options, journal)).toEqual([problem])
    expect(await rows()).toEqual(expected)
    const [noted = journal] = await journalsIn(nodeFs, options.journals)
    expect(await undoChanges(options, noted)).toEqual([])
    expect(await rows()).toEqual(expected)
  })
})

/** A database with a row, and a change of it. */
async function aRow(set: Readonly<Record<string, string | number>>) {
  const { agent, options } = ownedFiles()
  const path = join(agent, "state.sqlite")
  const driver = await loadDriver()
  const inDatabase = <Result>(work: (db: ReturnType<typeof driver.open>) => Result): Result => {
    const db = driver.open(path)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  const run = async (sql: string): Promise<void> => inDatabase((db) => void db.exec(sql))
  await run("CREATE TABLE threads (id TEXT, cwd TEXT, title TEXT, place INTEGER)")
  await run("INSERT INTO threads VALUES ('one', '/a/shop', NULL, 100)")
  const rows = async (): Promise<unknown> => inDatabase((db) => db.prepare("SELECT * FROM threads").all())
  const change = { kind: "row", path, table: "threads", id: { id: "one" }, set } as const
  return { options, rows, run, change }
}
