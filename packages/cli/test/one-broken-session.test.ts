import { readdirSync, utimesSync } from "node:fs"
import { FileSessionStorage } from "@treelog/storage-fs"
import { messageEntry, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { type Sandbox, sandbox } from "./sandbox.js"

const FAULTS: readonly Error[] = [
  new RangeError("Invalid string length"),
  new RangeError("Maximum call stack size exceeded"),
  new TypeError("x is not a function"),
]

const { readRange, openRanges, openRangesSync } = FileSessionStorage.prototype

/** A store of three sessions; whatever reads the one in the middle meets the error. */
function storeWith(box: Sandbox, error: Error, version = 3): void {
  storeSessions(box, version)
  breakSecond(error)
}

function storeSessions(box: Sandbox, version = 3): string[] {
  return ["first", "second", "third"].map((id) =>
    box.store([messageEntry(id, null, userMessage(`What ${id} says`))], { id, version }),
  )
}

function breakSecond(error: Error): void {
  const fails = (key: string): void => {
    if (key.includes("_second")) throw error
  }
  const spies = [
    vi.spyOn(FileSessionStorage.prototype, "readRange").mockImplementation(async function (this: unknown, ...range) {
      fails(range[0])
      return readRange.apply(this as FileSessionStorage, range)
    }),
    vi.spyOn(FileSessionStorage.prototype, "openRanges").mockImplementation(async function (this: unknown, ...which) {
      fails(which[0])
      return openRanges.apply(this as FileSessionStorage, which)
    }),
    vi.spyOn(FileSessionStorage.prototype, "openRangesSync").mockImplementation(function (this: unknown, ...which) {
      fails(which[0])
      return openRangesSync.apply(this as FileSessionStorage, which)
    }),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
}

/** The same, where lists know all of the sessions, so that they need not read them. */
async function storeListed(box: Sandbox, error: Error): Promise<void> {
  for (const path of storeSessions(box)) utimesSync(path, 1_700_000_000, 1_700_000_000)
  expect((await box.run(["list"])).code).toBe(0)
  breakSecond(error)
}

/** Those that are not in the trash. */
function sessionsLeft(box: Sandbox): string[] {
  return readdirSync(box.agentDir, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".jsonl") && !name.includes(".trash"),
  )
}

describe.each(FAULTS)("a session whose reading throws %s", (error) => {
  const unexpected = `${error.message} (unexpected`

  it.each([
    ["stats", "--all"],
    ["scan", "--all"],
    ["verify", "--all"],
    ["index", "--update"],
    ["stats", "--by", "day"],
    ["repair", "--migrate", "--all"],
    ["import", "--from", "treelog", "--to", "../copy", "--all"],
    ["bundle", "--all", "--force", "-o", "../out.tar.gz"],
  ])("is a row of %s %s, and the others are dealt with", async (...argv) => {
    const box = sandbox()
    storeWith(box, error, argv.includes("--migrate") ? 1 : 3)
    const { stdout, stderr, code } = await box.run(argv)
    expect(stderr).not.toMatch(/^treelog: /)
    expect(`${stdout}${stderr}`).toContain(unexpected)
    expect(code).toBe(1)
    const json = await box.run([...argv, "--json"])
    expect(json.stdout).toContain('"InternalError"')
  })

  it("is listed with its error among the others", async () => {
    const box = sandbox()
    storeWith(box, error)
    const { json } = await box.run(["list", "--json"])
    const sessions = json.flatMap(({ sessions = [] }) => sessions as { id: string; error?: object }[])
    const all = sessions.length > 0 ? sessions : (json as unknown as typeof sessions)
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(["first", "second", "third"]))
    expect(all.find(({ id }) => id === "second")).toMatchObject({
      error: { code: "InternalError", message: `${error.message} (unexpected)` },
    })
  })

  it("stays when others are pruned", async () => {
    const box = sandbox()
    storeWith(box, error)
    const { code, stdout, stderr } = await box.run(["delete", "--older-than", "0d", "--include-named", "--apply"])
    expect(stderr).not.toMatch(/^treelog: /)
    expect(code).toBe(0)
    expect(stdout).not.toContain("second")
    expect(sessionsLeft(box)).toEqual([expect.stringContaining("_second")])
  })

  it("stays when others are pruned, and has its row, where it fails only when it is searched for labels", async () => {
    const box = sandbox()
    await storeListed(box, error)
    const { code, stdout, stderr } = await box.run(["delete", "--older-than", "0d", "--max-size", "0", "--apply"])
    expect(stderr).not.toMatch(/^treelog: /)
    expect([code, stdout]).toEqual([1, expect.stringContaining(unexpected)])
    expect(sessionsLeft(box)).toEqual([expect.stringContaining("_second")])
  })

  it("is named on stderr when the prompts of all are searched", async () => {
    const box = sandbox()
    await storeListed(box, error)
    const { stdout, stderr } = await box.run(["resume", "--query", "third"])
    expect(stdout).toContain("_third")
    expect(stderr).toContain(unexpected)
  })

  it("does not keep another from being resumed", async () => {
    const box = sandbox()
    storeWith(box, error)
    expect((await box.run(["resume", "--query", "third"])).stdout).toContain("_third")
    expect((await box.run(["resume", "--last"])).code).toBe(0)
    expect((await box.run(["show", "third"])).stdout).toContain("What third says")
  })

  it("shows where the error comes from with --debug", async () => {
    const box = sandbox()
    storeWith(box, error)
    const { stderr } = await box.run(["verify", "--all", "--debug"])
    expect(stderr).toContain("one-broken-session.test.ts")
    expect((await box.run(["verify", "--all"])).stderr).not.toContain("one-broken-session.test.ts")
  })
})
