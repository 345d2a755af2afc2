import { describe, expect, test } from "vitest"
import type { Io, Output } from "../door.js"
import { CommandContext, Progress } from "../door.js"
import { NOW, PRESENT, storeAged } from "../housekeeping-box.js"
import { sandbox, type World } from "../sandbox.js"

const CLEAR = "\r\u001b[K"
const SHOWN = new RegExp(`${CLEAR.replace("[", "\\[")}\\w`)

/** A clock that goes on by two seconds each time that somebody looks. */
function hasty(): World {
  let now = PRESENT
  return {
    isTTY: true,
    now: () => {
      now += 2000
      return now
    },
  }
}

describe("work of more than a tenth of a second", () => {
  test.each([
    ["list", "--all"],
    ["verify", "--all"],
    ["repair", "--migrate", "--all", "--dry-run"],
    ["stats", "--disk"],
    ["delete", "--all", "--older-than", "1d"],
    ["delete", "--all", "--older-than", "1d", "--apply"],
    ["trash", "ls"],
    ["trash", "empty"],
    ["relocate", "--from", ".", "--to", "../moved"],
  ])("of `%s %s` reports on stderr how far it is, and takes that away.", async (...argv) => {
    const box = sandbox()
    for (const days of [5, 6, 7]) storeAged(box, `d${days}`, days)
    storeAged(box, "gone", 8)
    await box.run(["delete", "gone"], NOW)
    const given = argv.filter((part) => part !== undefined)
    const { stdout, stderr } = await box.run(given, hasty())
    expect(stderr).toMatch(SHOWN)
    expect(stderr.lastIndexOf(CLEAR)).toBeGreaterThan(stderr.search(SHOWN))
    expect(stdout).not.toContain(CLEAR)
    expect((await box.run([...given, "--quiet"], hasty())).stderr).not.toContain(CLEAR)
    expect((await box.run(given, { ...hasty(), isTTY: false })).stderr).not.toContain(CLEAR)
  })

  test("that is one long step is reported again and again, until something is printed.", async () => {
    const written: string[] = []
    const stderr: Output = {
      isTTY: true,
      columns: 80,
      rows: 24,
      write: async (text) => void written.push(String(text)),
    }
    const { now } = hasty()
    const io = { stdout: stderr, stderr, env: {}, now, interrupted: new AbortController().signal } as unknown as Io
    let finish = (): void => {}
    const work = new Promise<string>((resolve) => {
      finish = () => resolve("done")
    })
    const context = new CommandContext(io, {})
    const described = new Progress(context).during(work, () => {
      if (written.length >= 2) finish()
      return "Working"
    })
    expect(await described).toBe("done")
    expect(written.slice(0, 2)).toEqual([`${CLEAR}Working`, `${CLEAR}Working`])
    expect(written.at(-1)).toBe(`${CLEAR}Working`)
    await context.print(["printed"])
    await context.log("Logged.")
    expect(written.slice(-3)).toEqual([CLEAR, "printed\n", "Logged.\n"])
  })

  test("is taken away before a warning, too.", async () => {
    const box = sandbox()
    for (const days of [5, 6, 7]) storeAged(box, `d${days}`, days)
    const { stderr } = await box.run(["list", "--all", "--limit", "1"], hasty())
    expect(stderr).toContain("Scanned")
    expect(stderr).toContain(`${CLEAR}There are more sessions`)
  })

  test("is no longer shown when the command ends without a word.", async () => {
    const box = sandbox()
    storeAged(box, "one", 5)
    const { stderr } = await box.run(["verify", "--all", "--json"], hasty())
    expect(stderr.lastIndexOf("Scanned")).toBeLessThan(stderr.lastIndexOf(CLEAR))
  })
})
