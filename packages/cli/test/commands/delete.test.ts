import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { fingerprint, hold, listedIds, NOW, storeAged } from "../housekeeping-box.js"
import { hashOf, imageEntry, storeBlob } from "../images.js"
import { sandbox } from "../sandbox.js"

const LATER = { now: () => Date.UTC(2100, 0) }

describe("delete", () => {
  test("A deleted session is in the trash with its artifacts, and restore gives it back, byte for byte.", async () => {
    const box = sandbox()
    const path = storeAged(box, "one", 5)
    storeAged(box, "two", 6)
    box.write(`${path.slice(box.folder.length, -".jsonl".length)}/deep/notes.txt`, "notes")
    writeFileSync(`${path}.v1.bak`, "as it was")
    const before = fingerprint(box)
    const { code, stdout, stderr } = await box.run(["delete", "one"], NOW)
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${path}\n` })
    const batch = /`treelog trash restore (\S+)` restores it\.\n$/.exec(stderr)?.[1] ?? ""
    expect(await listedIds(box)).toEqual(["two"])
    expect(readdirSync(dirname(path)).filter((name) => name.includes("_one"))).toEqual([])
    expect(await box.run(["trash", "restore", batch], NOW)).toMatchObject({ code: 0, stdout: `${path}\n` })
    expect(fingerprint(box)).toEqual(before)
    expect(existsSync(`${dirname(path)}/.trash`)).toBe(false)
  })

  test("Several are found before the first one goes, so that @-2 means what it meant, and each goes once.", async () => {
    const box = sandbox()
    for (const [id, days] of [
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ] as const)
      storeAged(box, id, days)
    const { code, stdout } = await box.run(["delete", "@last", "@-2", "a", "--json"], NOW)
    expect(code).toBe(0)
    expect(stdout.split("\n").filter(Boolean)).toHaveLength(2)
    expect(await listedIds(box)).toEqual(["c"])
  })

  test("2 and 3: What cannot be found, or fits several, stops it before anything goes.", async () => {
    const box = sandbox()
    storeAged(box, "ab1", 1)
    storeAged(box, "ab2", 2)
    const before = fingerprint(box)
    expect((await box.run(["delete", "ab1", "nothing"])).code).toBe(3)
    expect((await box.run(["delete", "ab1", "ab"])).code).toBe(2)
    expect((await box.run(["delete"])).code).toBe(2)
    expect(fingerprint(box)).toEqual(before)
  })

  test("5: A session that someone writes stays, is named, and the others go on.", async () => {
    const box = sandbox()
    const held = storeAged(box, "held", 1)
    storeAged(box, "free", 2)
    await hold(box, held)
    const { code, stdout, stderr } = await box.run(["delete", "held", "free"], NOW)
    expect(code).toBe(5)
    expect(stdout).toMatch(new RegExp(`_held\\.jsonl SessionBusyError .* process ${process.pid} `))
    expect(stderr).toMatch(/^1 session moved to the trash, 1 in use by another process\./)
    expect(await listedIds(box)).toEqual(["held"])
  })

  test("A dry run says which would go and which are held, and changes no byte.", async () => {
    const box = sandbox()
    const held = storeAged(box, "held", 1)
    storeAged(box, "free", 2)
    await hold(box, held)
    const before = box.snapshot()
    const { code, json } = await box.run(["delete", "held", "free", "-n", "--json"], NOW)
    expect(code).toBe(5)
    expect(json).toMatchObject([{ error: { code: "SessionBusyError" } }, { dryRun: true, trash: null }])
    expect(box.snapshot()).toEqual(before)
  })

  test("A session in no store goes to a trash beside it, and comes back by its path.", async () => {
    const box = sandbox()
    const path = box.write("project/loose/session.jsonl", "")
    writeFileSync(path, '{"type":"session","version":3,"id":"x","timestamp":"2026-03-07T14:00:00.000Z","cwd":"/"}\n')
    const { stderr } = await box.run(["delete", path], NOW)
    const [, trashed = ""] = /`treelog trash restore (.+)` restores it/.exec(stderr) ?? []
    expect(trashed.startsWith(`${dirname(path)}/.trash/`)).toBe(true)
    expect((await box.run(["trash", "ls", "--session-dir", dirname(path), "--json"])).json).toMatchObject([
      { from: path },
    ])
    expect(await box.print("trash", "restore", trashed)).toBe(path)
    expect((await box.run(["delete", trashed])).code).toBe(3)
  })
})

test("The way back names the store that was named.", async () => {
  const box = sandbox()
  storeAged(box, "one", 5)
  const { stderr } = await box.run(["delete", "one", "--agent-dir", box.agentDir], NOW)
  const [, rest = ""] = /`treelog trash restore (.+)` restores it/.exec(stderr) ?? []
  expect(rest).toMatch(new RegExp(`^--agent-dir ${box.agentDir} \\d{4}-`))
  expect(
    (await box.run(["trash", "restore", ...rest.split(" ")], { env: { TREELOG_AGENT_DIR: "/nowhere" } })).code,
  ).toBe(0)
})

describe("restore", () => {
  test("says that what it is to restore is not in the trash", async () => {
    const box = sandbox()
    storeAged(box, "one", 5)
    expect(await box.run(["trash", "restore", "one"])).toMatchObject({
      code: 3,
      stderr: 'treelog: There is no session "one" in the trash; `treelog trash ls` lists those that are.\n',
    })
  })

  test("--last gives back what went last, together, and what went before stays.", async () => {
    const box = sandbox()
    for (const id of ["a", "b", "c"]) storeAged(box, id, 9)
    await box.run(["delete", "a"], NOW)
    await box.run(["delete", "b", "c"], LATER)
    expect((await box.run(["trash", "restore", "--last"])).stdout.trim().split("\n")).toHaveLength(2)
    expect(await listedIds(box)).toEqual(["b", "c"])
    expect(await box.print("trash", "restore", "a", "--json")).toContain('"path"')
    expect((await box.run(["trash", "restore", "--last"])).code).toBe(3)
  })

  test("1: What is there by now is never overwritten, and the others come back.", async () => {
    const box = sandbox()
    const path = storeAged(box, "a", 9)
    storeAged(box, "b", 9)
    await box.run(["delete", "a", "b"], NOW)
    writeFileSync(path, "another")
    const { code, stdout } = await box.run(["trash", "restore", "--last"])
    expect(code).toBe(1)
    expect(stdout).toMatch(/_a\.jsonl SessionExistsError /)
    rmSync(path)
    expect((await box.run(["trash", "restore", "--last"])).code).toBe(0)
    expect(await listedIds(box)).toEqual(["a", "b"])
  })

  test("2: It has to be said what.", async () => {
    const box = sandbox()
    for (const argv of [
      ["trash", "restore"],
      ["trash", "restore", "a", "--last"],
      ["trash", "ls", "--last"],
    ])
      expect((await box.run(argv)).code).toBe(2)
  })
})

describe("the trash", () => {
  test("lists what went last first, with its time and name, and none of it as a session.", async () => {
    const box = sandbox()
    storeAged(box, "first", 9, { name: "The first one" })
    storeAged(box, "second", 9, { cwd: "/elsewhere" })
    await box.run(["delete", "first"], NOW)
    await box.run(["delete", "second", "--all"], LATER)
    const rows = (await box.print("trash", "ls")).split("\n")
    expect(rows[0]).toMatch(/^ID +DELETED +AGE +SIZE +FOLDER +NAME OR FIRST MESSAGE$/)
    expect(rows[1]).toMatch(/^second +2100-01-01T00-00-00-000Z .* \/elsewhere +Session second$/)
    expect(rows[2]).toMatch(/^first .* The first one$/)
    expect(await box.print("trash", "ls")).toBe(rows.join("\n"))
    expect(await box.print("trash", "ls", "--cwd", "/elsewhere")).not.toContain("first")
    expect(await listedIds(box)).toEqual([])
  })

  test("is emptied by --apply alone, and of what went long ago if that is asked for.", async () => {
    const box = sandbox()
    storeAged(box, "old", 9)
    storeAged(box, "new", 9)
    await box.run(["delete", "old"], { now: () => Date.UTC(2099, 0) })
    await box.run(["delete", "new"], LATER)
    const before = box.snapshot()
    expect((await box.run(["trash", "empty"], LATER)).stdout.trim().split("\n")).toHaveLength(2)
    expect((await box.run(["trash", "empty", "--older-than", "30d", "--json"], LATER)).json).toMatchObject([
      { dryRun: true },
    ])
    expect(box.snapshot()).toEqual(before)
    expect((await box.run(["trash", "empty", "--older-than", "30d", "--apply"], LATER)).code).toBe(0)
    expect((await box.run(["trash", "ls", "--json"])).json).toMatchObject([{ id: "new" }])
    expect((await box.run(["trash", "empty", "--apply"], LATER)).code).toBe(0)
    expect(await box.run(["trash", "ls"])).toMatchObject({ stdout: "", stderr: "The trash is empty.\n" })
  })

  test("protects the blobs that only it names, until it is emptied.", async () => {
    const box = sandbox()
    box.store([imageEntry("one", null, `blob:sha256:${storeBlob(box, "bytes")}`)], { id: "pictured" })
    box.store([userEntry("other", null)], { id: "other" })
    await box.run(["delete", "pictured"], NOW)
    const gc = () => box.run(["blobs", "gc", "--apply", "--grace", "0", "--json"], LATER)
    expect((await gc()).json[0]).toMatchObject({ kept: { count: 1 }, swept: { count: 0 } })
    await box.print("trash", "restore", "pictured")
    await box.run(["delete", "pictured"], NOW)
    await box.run(["trash", "empty", "--apply"], LATER)
    expect((await gc()).json[0]).toMatchObject({ swept: { count: 1, hashes: [hashOf("bytes")] } })
  })
})
