import { beforeEach, describe, expect, test } from "vitest"
import { addTrouble, bigHome, saidIn } from "./big-home.js"
import { runnableCommands } from "./command-table.js"
import { plainCommandLine } from "./plain-command-lines.js"
import { type Ran, type Sandbox, sandbox } from "./sandbox.js"
import { viewed } from "./viewed.js"

// One home in which all agents and programs have a session, with what real homes have, too: a profile, a copy, damaged and foreign
// files, odd names.

let box: Sandbox
let stores: string[]

beforeEach(async () => {
  box = sandbox()
  stores = await bigHome(box)
})

/** What no answer says. */
const FAULTS =
  /unexpected|InternalError|TypeError|RangeError|is not a function|Cannot read propert|\[object |\bNaN\b|undefined/

/** Exit codes of command lines that find nothing here, lack an argument, or find what is wrong in the home. */
const CODES: Readonly<Record<string, number>> = {
  // There are no copies.
  restore: 1,
  ...{ search: 1, files: 1, "files lamp.ts --all": 1, doctor: 4, "verify --all": 4 },
  ...{ "blobs verify": 6, "trash restore": 3, import: 3, bundle: 2, "config set": 2, "config unset": 2 },
  ...{ "store migrate": 2, "store clean": 2 },
}

const LONG_RUNNING = new Set(["view", "watch", "mcp"])

describe("without trouble", () => {
  test("keep has a copy of every session, and lists show each once, where its agent has it", async () => {
    expect((await box.run(["keep"])).code).toBe(0)
    const { json } = await box.run(["list", "--all", "--json"])
    expect(json.map(({ store }) => store).sort()).toEqual([...stores].sort())
    expect(json.filter(({ copies }) => copies)).toEqual([])
  })

  test("list, search, stats, doctor, MCP and the page have the session of every store", async () => {
    const { json, stderr } = await box.run(["list", "--all", "--json"])
    expect(stderr).toBe("")
    expect(json.filter(({ error }) => error)).toEqual([])
    expect(json.map(({ store }) => store).sort()).toEqual([...stores].sort())
    // Where a folder has a hyphen, cursor-agent's name of it is that of several.
    expect((await box.run(["list", "--json"])).json).toHaveLength(stores.length - 1)
    const found = await box.run(["search", "lamp", "--all", "--limit", "100", "--json"])
    expect([...new Set(found.json.map(({ store }) => store))].sort()).toEqual([...stores].sort())
    const doctor = await box.run(["doctor", "--json"])
    const counts = doctor.json.flatMap((one) => (one.isFound ? [[one.store, one.total]] : []))
    expect(counts.sort()).toEqual(stores.map((store) => [store, 1]).sort())
    const disk = await box.run(["stats", "--disk", "--json"])
    const ofDisk = disk.json.flatMap(({ stores = [] }) => stores as { readonly store: string }[])
    expect(ofDisk.map(({ store }) => store).sort()).toEqual([...stores].sort())
  })

  test("each is found, shown and has a context by the id that a list prints", async () => {
    const { json } = await box.run(["list", "--all", "--json"])
    for (const { id, store } of json) {
      const shown = await box.run(["show", String(id)])
      expect([store, shown.code, shown.stdout]).toEqual([store, 0, expect.stringContaining(saidIn(String(store)))])
      expect([store, (await box.run(["context", String(id)])).code]).toEqual([store, 0])
    }
  })

  test("the page lists them", async () => {
    const said: string[] = []
    const { code, stderr } = await viewed(box, ["--no-open"], async (url) => {
      said.push(await (await fetch(`${url}all/sessions`)).text())
    })
    expect([code, stderr]).toEqual([expect.any(Number), expect.not.stringMatching(FAULTS)])
    for (const store of stores) expect(said.join("\n")).toContain(saidIn(store))
  })
})

describe("with trouble", () => {
  test.each(runnableCommands().filter((name) => !LONG_RUNNING.has(name)))("%s answers", async (name) => {
    addTrouble(box)
    // The newest session is one that can only be read.
    const ran = await box.run(
      plainCommandLine(name).map((argument) =>
        argument === "@last" ? "own" : argument === "one" ? "own-1" : argument,
      ),
    )
    expect(answerOf(ran)).toEqual([CODES[name] ?? 0, expect.not.stringMatching(FAULTS)])
  })

  test.each(["list", "stats", "search lamp", "files lamp.ts", "verify", "scan", "index --update"])(
    "%s --all answers",
    async (line) => {
      addTrouble(box)
      const ran = await box.run([...line.split(" "), "--all"])
      expect(answerOf(ran)).toEqual([CODES[`${line} --all`] ?? 0, expect.not.stringMatching(FAULTS)])
    },
  )
})

function answerOf({ code, stdout, stderr }: Ran): [number, string] {
  return [code, stdout + stderr]
}
