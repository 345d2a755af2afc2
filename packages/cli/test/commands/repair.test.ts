import { existsSync, readFileSync, statSync } from "node:fs"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { hashOf, imageEntry } from "../images.js"
import { sandbox } from "../sandbox.js"

const DAMAGED = [userEntry("one", null), "nonsense", userEntry("two", "gone"), '{"type":"mess']

test("repairs, names each change with its place, and keeps the session and the list of changes", async () => {
  const box = sandbox()
  const path = box.store(DAMAGED)
  const before = readFileSync(path, "utf8")
  const { code, stdout, stderr } = await box.run(["repair", "@last"])
  expect(code).toBe(0)
  const named = stdout.replaceAll(path, "PATH").trimEnd().split("\n")
  expect(named.map((line) => line.split(" ").slice(0, 2).join(" ").replace(/:\d+ /, ":OFFSET "))).toEqual([
    "PATH:3:OFFSET invalid-json",
    "PATH:5:OFFSET invalid-json",
    "PATH:4:OFFSET missing-parent",
  ])
  expect(stderr).toBe(
    [`Backup: ${path}.repair.bak`, `Changes: ${path}.repair.bak.changes.json`, "3 changes made: no damage.", ""].join(
      "\n",
    ),
  )
  expect(readFileSync(`${path}.repair.bak`, "utf8")).toBe(before)
  expect((await box.run(["verify"])).code).toBe(0)
})

test("the list of changes is for its owner alone, and says what was printed", async () => {
  const box = sandbox()
  const path = box.store(DAMAGED)
  const [report] = (await box.run(["repair", "@last", "--json"])).json
  const file = `${path}.repair.bak.changes.json`
  expect(report).toMatchObject({ dryRun: false, backup: `${path}.repair.bak`, changesFile: file })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { v, changes, backup } = JSON.parse(readFileSync(file, "utf8"))
  expect({ v, changes, backup }).toEqual({ v: 1, changes: report?.changes, backup: `${path}.repair.bak` })
})

test("a second list of changes never takes the place of the first", async () => {
  const box = sandbox()
  const path = box.store(DAMAGED)
  box.write(`${path.slice(box.folder.length)}.repair.bak.changes.json`, "mine")
  const [report] = (await box.run(["repair", "@last", "--json"])).json
  expect(report?.changesFile).toBe(`${path}.repair.bak.changes.2.json`)
  expect(readFileSync(`${path}.repair.bak.changes.json`, "utf8")).toBe("mine")
})

test("--dry-run says the same, and does nothing", async () => {
  const box = sandbox()
  box.store(DAMAGED)
  const before = box.snapshot()
  const dry = await box.run(["repair", "@last", "--dry-run"])
  expect(box.snapshot()).toEqual(before)
  expect(dry.stderr).toBe("3 changes to make; then no damage, blobs aside. This was a dry run.\n")
  // What could not be read gets an id that is another one each time.
  const withoutIds = (text: string): string => text.replace(/\b[0-9a-f]{8}\b/g, "ID")
  expect(withoutIds((await box.run(["repair", "@last"])).stdout)).toBe(withoutIds(dry.stdout))
})

test("4: what cannot be repaired is named: a blob that is nowhere", async () => {
  const box = sandbox()
  const path = box.store(["nonsense", imageEntry("one", null, `blob:sha256:${hashOf("gone")}`)])
  const { code, stdout, stderr } = await box.run(["repair", "@last"])
  expect(code).toBe(4)
  expect(stdout).toMatch(/:2:\d+ invalid-json .*\n.*:3:\d+ missing-blob Entry one names/)
  expect(stderr).toContain("1 change made: 1 fault is left.\n")
  expect((await box.run(["repair", path, "--json"])).json[0]).toMatchObject({ changes: [], after: { ok: false } })
})

test("a sound session is left alone", async () => {
  const box = sandbox()
  const path = box.store([userEntry("one", null)])
  const { code, stdout, stderr } = await box.run(["repair", "@last"])
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "Nothing to repair: no damage.\n" })
  expect(existsSync(`${path}.repair.bak`)).toBe(false)
  expect((await box.run(["repair", "@last", "--json"])).json[0]).toMatchObject({ backup: null, changesFile: null })
})

test("a lost header comes back from the name and the neighbours", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)], { id: "neighbour" })
  const path = box.store([], { id: "lost" })
  box.write(path.slice(box.folder.length), `${JSON.stringify(userEntry("one", null))}\n`)
  expect((await box.run(["repair", path])).code).toBe(0)
  expect((await box.run(["list", "--json"])).json.map(({ id }) => id).sort()).toEqual(["lost", "neighbour"])
})

test.each([
  ["holds no entry at all", "notes.txt", "Buy milk\n", 1, "it is not a session"],
  ["is not named like a session", "log.txt", '{"type":"x","timestamp":"t"}\n', 2, "is not named as sessions are"],
])("a file without a header that %s is refused, and left alone", async (_, name, text, exit, why) => {
  const box = sandbox()
  const path = box.write(`project/${name}`, text)
  const before = box.snapshot()
  const { code, stderr } = await box.run(["repair", path])
  expect([code, stderr]).toEqual([exit, expect.stringContaining(why)])
  expect(box.snapshot()).toEqual(before)
})

test("trash empty lists the backup of a repair with the list of changes, and removes both", async () => {
  const box = sandbox()
  const path = box.store(DAMAGED)
  await box.run(["repair", "@last"])
  const kept = [`${path}.repair.bak`, `${path}.repair.bak.changes.json`]
  expect((await box.run(["trash", "ls"])).stderr).toMatch(
    /^The trash is empty\.\nRepairs and migrations kept 2 backups, \S+ KB: `treelog trash empty` lists them\.\n$/,
  )
  const now = { now: () => Date.now() + 60_000 }
  const listed = await box.run(["trash", "empty"], now)
  expect(listed.stdout.trim().split("\n").sort()).toEqual(kept)
  expect(listed.stderr).toMatch(
    /^2 backups, \S+ KB, to remove for good\. This was a dry run; --apply removes them\.\n$/,
  )
  expect((await box.run(["trash", "empty", "--older-than", "1d", "--apply"], now)).stderr).toBe("Nothing to remove.\n")
  expect((await box.run(["trash", "empty", "--apply", "--json"], now)).json).toMatchObject([
    { from: path },
    { from: path },
  ])
  expect([path, ...kept].map((name) => existsSync(name))).toEqual([true, false, false])
})
