import { readFileSync } from "node:fs"
import { Random } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"
import { grow } from "./grow.js"
import { openCopyInPi, pi } from "./pi.js"
import { expectSameSession } from "./same-session.js"
import { openWorkshop } from "./workshop.js"

describe("a session that pi wrote", () => {
  test.each([1, 2, 3, 4])("is read as pi reads it, gone on with, and read by pi again (seed %i)", async (seed) => {
    const { sessions, path } = openWorkshop()
    const random = new Random(seed)
    const piWriter = pi.SessionManager.create("/home/dev/shop", path("."))
    grow(piWriter, random, 80)
    const file = piWriter.getSessionFile()
    const byPi = readFileSync(file, "utf8")

    const ours = await sessions.open(file)
    expectSameSession(ours, pi.SessionManager.open(file))
    grow(ours, random, 80)
    await ours.close()
    expect(readFileSync(file, "utf8").startsWith(byPi)).toBe(true)

    const piAgain = pi.SessionManager.open(file)
    expectSameSession(ours, piAgain)
    grow(piAgain, random, 40)
    expectSameSession(await sessions.open(file, { access: "read" }), piAgain)
  })

  test("is found by its folder, and opened as the newest of it", async () => {
    const { sessions, path } = openWorkshop()
    const piWriter = pi.SessionManager.create("/home/dev/shop", path("."))
    grow(piWriter, new Random(9), 20)
    const ours = await sessions.continueRecent("/home/dev/shop")
    await ours.close()
    expect(ours.getSessionFile()).toBe(piWriter.getSessionFile())
  })

  test("takes in what pi appends while treelog has it open, and pi finds both hands' entries", async () => {
    const { sessions, path } = openWorkshop()
    const piWriter = pi.SessionManager.create("/home/dev/shop", path("."))
    grow(piWriter, new Random(10), 20)
    const ours = await sessions.open(piWriter.getSessionFile())
    const parent = ours.getLeafId()
    const theirs = piWriter.appendMessage({ role: "user", content: "From pi", timestamp: 7 })
    const own = ours.appendMessage({ role: "user", content: "From treelog", timestamp: 8 })
    await ours.close()
    const read = openCopyInPi(piWriter.getSessionFile())
    expect(read.getEntry(theirs)?.parentId).toBe(parent)
    expect(read.getEntry(own)?.parentId).toBe(parent)
    expect(ours.getEntry(theirs)).toEqual(read.getEntry(theirs))
    expect(new Set(ours.getEntries())).toEqual(new Set(read.getEntries()))
  })
})
