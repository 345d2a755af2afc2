import { readdirSync, renameSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { TEST_START, userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { hashOf, imageEntry, storeBlob } from "../images.js"
import { type Sandbox, sandbox } from "../sandbox.js"

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** When the commands run. */
const NOW = TEST_START + HOUR

function agedBlob(box: Sandbox, text: string, age: number): string {
  const hash = storeBlob(box, text)
  utimesSync(join(box.agentDir, "blobs", hash), (NOW - age) / 1000, (NOW - age) / 1000)
  return hash
}

function blobs(box: Sandbox): string[] {
  return readdirSync(join(box.agentDir, "blobs")).filter((name) => name !== ".trash")
}

test("ls prints hash, size and age, 80 columns wide", async () => {
  const box = sandbox()
  const hash = agedBlob(box, "x".repeat(2000), 400 * DAY)
  const { code, stdout, stderr } = await box.run(["blobs", "ls"])
  expect(code).toBe(0)
  expect(stdout).toBe(`${"HASH".padEnd(64)}     SIZE   AGE\n${hash}     2 KB  400d\n`)
  expect(stdout.split("\n")[1]).toHaveLength(79)
  expect(stderr).toBe(`1 blob, 2 KB in ${box.agentDir}/blobs.\n`)
  expect((await box.run(["blobs", "ls", "--json"])).json).toEqual([
    { v: 1, hash, size: 2000, modified: NOW - 400 * DAY },
  ])
})

test("ls, verify and gc of a store without blobs say so", async () => {
  const box = sandbox()
  expect(await box.run(["blobs", "ls"])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: `There are no blobs in ${box.agentDir}/blobs.\n`,
  })
  expect(await box.run(["blobs", "verify"])).toMatchObject({
    code: 6,
    stderr: `0 blobs examined: looked in ${box.agentDir}/blobs.\n`,
  })
  expect(await box.run(["blobs", "gc"])).toMatchObject({ code: 0, stderr: "Nothing to delete.\n" })
})

test("verify: 0 when all is well, 4 with the path of each damaged blob", async () => {
  const box = sandbox()
  storeBlob(box, "sound")
  expect(await box.run(["blobs", "verify"])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: `1 blob, 5 B in ${box.agentDir}/blobs: no damage.\n`,
  })
  const path = box.write(`agent/blobs/${hashOf("damaged")}`, "other bytes")
  const { code, stdout, stderr } = await box.run(["blobs", "verify"])
  expect(code).toBe(4)
  expect(stdout).toBe(`${path} damaged Its 11 B have the hash ${hashOf("other bytes")}.\n`)
  expect(stderr).toBe(`2 blobs, 16 B in ${box.agentDir}/blobs: 1 damaged.\n`)
  expect((await box.run(["blobs", "verify", "--json"])).json).toEqual([
    {
      v: 1,
      folder: `${box.agentDir}/blobs`,
      state: "damaged",
      hash: hashOf("damaged"),
      size: 11,
      actual: hashOf("other bytes"),
    },
  ])
})

function storeWithGarbage(): { box: Sandbox; named: string; garbage: string; young: string } {
  const box = sandbox()
  const [named, garbage, young] = [
    agedBlob(box, "named", DAY * 2),
    agedBlob(box, "garbage", DAY * 2),
    agedBlob(box, "young", HOUR),
  ]
  box.store([imageEntry("one", null, `blob:sha256:${named}`)])
  return { box, named, garbage, young }
}

test("gc is a dry run, and says what it would free", async () => {
  const { box, garbage } = storeWithGarbage()
  const before = box.snapshot()
  const { code, stdout, stderr } = await box.run(["blobs", "gc"])
  expect(code).toBe(0)
  expect(stdout.replaceAll(box.folder, "").replace(/ \d{3} B/, " ### B")).toMatchInlineSnapshot(`
    "blobs       /agent/blobs
    sessions    /agent/sessions
    scanned     1 file, ### B
    referenced  1 blob, 5 B
    would free  1 blob, 7 B
    too young   1 blob, 5 B
    "
  `)
  expect(stderr).toBe("This was a dry run; --apply moves them to the trash.\n")
  expect((await box.run(["blobs", "gc", "--json"])).json[0]).toMatchObject({
    applied: false,
    trash: null,
    swept: { count: 1, hashes: [garbage] },
  })
  expect(box.snapshot()).toEqual(before)
})

test("gc --apply moves to the trash, and --undo gives back", async () => {
  const { box, named, garbage, young } = storeWithGarbage()
  const { code, stdout, stderr } = await box.run(["blobs", "gc", "--apply"])
  expect(code).toBe(0)
  expect(stdout).toContain("in the trash  1 blob, 7 B\n")
  expect(stderr).toBe("`treelog blobs gc --undo` restores them, until the next --apply.\n")
  expect(blobs(box).sort()).toEqual([named, young].sort())
  expect(await box.run(["blobs", "gc", "--undo"])).toMatchObject({ code: 0, stdout: "1 blob, 7 B restored\n" })
  expect(blobs(box).sort()).toEqual([named, garbage, young].sort())
  expect((await box.run(["blobs", "gc", "--undo"])).stderr).toContain("There is nothing in the trash")
})

test("gc --grace sets what is too young, --root what is named too", async () => {
  const { box, garbage, young } = storeWithGarbage()
  const swept = async (...options: string[]): Promise<string[]> => {
    const { json } = await box.run(["blobs", "gc", "--json", ...options])
    const { swept: found } = json[0] as unknown as { swept: { hashes: string[] } }
    return found.hashes.sort()
  }
  expect(await swept("--grace", "3d")).toEqual([])
  expect(await swept("--grace", "0")).toEqual([garbage, young].sort())
  box.write("archive/old.txt", `blob:sha256:${garbage}`)
  box.write("archive/s.jsonl.bak", `blob:sha256:${young}`)
  expect(await swept("--grace", "0", "--root", "../archive")).toEqual([])
  const file = box.write("loose/s.jsonl", `${JSON.stringify(imageEntry("one", null, `blob:sha256:${garbage}`))}\n`)
  expect(await swept("--grace", "0", "--root", file)).toEqual([young])
})

test("1: gc stops where the sessions cannot be found, and takes nothing", async () => {
  const { box } = storeWithGarbage()
  renameSync(join(box.agentDir, "sessions"), join(box.folder, "away"))
  const before = box.snapshot()
  const { code, stderr } = await box.run(["blobs", "gc", "--apply"])
  expect(code).toBe(1)
  expect(stderr).toContain(`${box.agentDir}/sessions`)
  expect((await box.run(["blobs", "gc", "--blobs", "../agent/blobs", "--apply"])).code).toBe(1)
  expect(box.snapshot()).toEqual(before)
  expect((await box.run(["blobs", "gc", "--root", "../away"])).code).toBe(0)
})

test("1: gc stops at a session that cannot be parsed, and says how to go on", async () => {
  const { box, garbage } = storeWithGarbage()
  const bad = box.store(["nonsense", userEntry("one", null)], { id: "bad" })
  const { code, stderr } = await box.run(["blobs", "gc", "--apply"])
  expect(code).toBe(1)
  expect(stderr).toContain(bad)
  expect(stderr).toContain(
    "`treelog repair` can repair it; --allow-unparsable continues, and keeps every blob whose hash is found in it.",
  )
  const { json } = await box.run(["blobs", "gc", "--allow-unparsable", "--json"])
  expect(json[0]).toMatchObject({ swept: { hashes: [garbage] }, unparsable: [{ path: bad, line: 2 }] })
})
