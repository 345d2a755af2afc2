import { existsSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { describe, expect, test } from "vitest"
import { fingerprint, hold, listedIds, NOW, storeAged } from "../housekeeping-box.js"
import { sandbox } from "../sandbox.js"

describe("relocate", () => {
  test("Sessions of the folder and of those below move, with their artifacts; of their bytes the cwd changes.", async () => {
    const box = sandbox()
    const one = storeAged(box, "one", 5, { cwd: "/old" })
    const two = storeAged(box, "two", 5, { cwd: "/old/sub" })
    storeAged(box, "other", 5, { cwd: "/older" })
    box.write(`${one.slice(box.folder.length, -".jsonl".length)}/notes.txt`, "notes")
    const before = [one, two].map((path) => readFileSync(path, "utf8"))
    const { code, json } = await box.run(["relocate", "--from", "/old", "--to", "/new", "--apply", "--json"], NOW)
    expect(code).toBe(0)
    expect(json).toMatchObject([
      { id: "one", from: "/old", to: "/new", dryRun: false },
      { id: "two", from: "/old/sub", to: "/new/sub" },
    ])
    const paths = json.map(({ newPath }) => String(newPath))
    expect(paths[0]).toContain("/--new--/")
    expect(paths[1]).toContain("/--new-sub--/")
    expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(
      before.map((text) => text.replace('"cwd":"/old', '"cwd":"/new')),
    )
    expect(readFileSync(`${paths[0]?.slice(0, -".jsonl".length)}/notes.txt`, "utf8")).toBe("notes")
    expect(existsSync(one)).toBe(false)
    expect((await box.run(["list", "--cwd", "/new", "--json"])).json).toMatchObject([{ id: "one" }])
    expect(await listedIds(box)).toEqual(["one", "other", "two"])
  })

  test("There and back gives the same bytes, and a second time finds nothing to do.", async () => {
    const box = sandbox()
    const path = storeAged(box, "one", 5, { cwd: "/old" })
    const before = readFileSync(path, "utf8")
    const move = (from: string, to: string) => box.run(["relocate", "--from", from, "--to", to, "--apply"], NOW)
    expect((await move("/old", "/old/inner")).code).toBe(0)
    expect((await move("/old", "/old/inner")).code).toBe(3)
    expect((await move("/old/inner", "/old")).code).toBe(0)
    expect(readFileSync(path, "utf8")).toBe(before)
  })

  test("A dry run says what would be done, and changes no byte.", async () => {
    const box = sandbox()
    const path = storeAged(box, "one", 5, { cwd: "/old" })
    await hold(box, storeAged(box, "held", 5, { cwd: "/old" }))
    const before = box.snapshot()
    const { code, stdout, stderr } = await box.run(["relocate", "--from", "/old/", "--to", "/new"], NOW)
    expect(code).toBe(5)
    expect(stdout).toContain(`${path}  /old → /new`)
    expect(stdout).toContain("SessionBusyError")
    expect(stderr).toContain("1 session to move, 1 in use by another process. This was a dry run; --apply does it.")
    expect(stderr).toContain("There is no folder /new.")
    expect(box.snapshot()).toEqual(before)
  })

  test("5: A session that someone writes stays, and the others go on.", async () => {
    const box = sandbox()
    const held = storeAged(box, "held", 5, { cwd: "/old" })
    const free = storeAged(box, "free", 5, { cwd: "/old" })
    await hold(box, held)
    expect((await box.run(["relocate", "--from", "/old", "--to", "/new", "--apply"], NOW)).code).toBe(5)
    expect([existsSync(held), existsSync(free)]).toEqual([true, false])
  })

  test("1: None goes over another.", async () => {
    const box = sandbox()
    const path = storeAged(box, "one", 5, { cwd: "/old" })
    const there = path.replace(dirname(path), dirname(path).replace(/[^/]+$/, "--new--"))
    box.write(there.slice(box.folder.length), "another")
    const before = fingerprint(box)
    const { code, stdout } = await box.run(["relocate", "--from", "/old", "--to", "/new", "--apply"], NOW)
    expect(code).toBe(1)
    expect(stdout).toContain("SessionExistsError")
    expect(fingerprint(box)).toEqual(before)
  })

  test("2 and 3: The folders have to be two, and the old one has to have sessions.", async () => {
    const box = sandbox()
    storeAged(box, "one", 5)
    expect((await box.run(["relocate", "--from", "/a", "--to", "/a"])).code).toBe(2)
    expect((await box.run(["relocate", "--from", "/a"])).code).toBe(2)
    expect((await box.run(["relocate", "--from", "/a", "--to", "/b"])).code).toBe(3)
  })
})
