import { stripVTControlCharacters } from "node:util"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import type { PagerCommand, RunningPager } from "../door.js"
import { type Ran, type Sandbox, sandbox, type World } from "../sandbox.js"

interface Shown extends Pick<Ran, "code" | "stdout" | "stderr"> {
  /** What the pager got; undefined where it was not started. */
  readonly paged: string | undefined
  readonly command: PagerCommand | undefined
}

/** Runs a command on a terminal of 80 by 24 with a pager. @param fails with this code when it is started */
async function shown(box: Sandbox, argv: readonly string[], world: World = {}, fails?: string): Promise<Shown> {
  let pieces: (string | Uint8Array)[] | undefined
  let command: PagerCommand | undefined
  const startPager = async (given: PagerCommand): Promise<RunningPager> => {
    command = given
    if (fails !== undefined) throw Object.assign(new Error(fails), { code: fails })
    const taken: (string | Uint8Array)[] = []
    pieces = taken
    let leave = (): void => {}
    const ended = new Promise<void>((resolve) => {
      leave = resolve
    })
    return { write: async (text) => void taken.push(text), end: async () => leave(), ended }
  }
  const { code, stdout, stderr } = await box.run(argv, { isTTY: true, startPager, ...world })
  return { code, stdout, stderr, paged: pieces?.join(""), command }
}

function long(): Sandbox {
  const box = sandbox()
  box.store(
    Array.from({ length: 40 }, (_, at) => userEntry(`e${at}`, at === 0 ? null : `e${at - 1}`, `needle ${at}`)),
    { id: "long" },
  )
  return box
}

test.each([["show"], ["export"], ["export --format jsonl"], ["search needle --limit 40"]])(
  "`%s` is paged on a terminal, with its colours, and nothing else is written",
  async (line) => {
    const { code, stdout, paged } = await shown(long(), line.split(" "))
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
    expect(stripVTControlCharacters(paged ?? "")).toContain("needle 3")
    if (line === "show") expect(paged).toContain("\u001b[")
  },
)

test.each([["stats long"], ["list"], ["show --tail 1"], ["search needle --limit 1"]])(
  "`%s` is shorter than the screen, and needs no pager",
  async (line) => {
    const { code, stdout, command } = await shown(long(), line.split(" "))
    expect({ code, command }).toEqual({ code: 0, command: undefined })
    expect(stdout).not.toBe("")
  },
)

test("stats is paged where it is longer than the screen", async () => {
  expect((await shown(long(), ["stats", "long"], { rows: 3 })).paged).toContain("messages")
})

test("a list is paged where it is longer than the screen", async () => {
  const box = sandbox()
  for (const id of ["one", "two", "three", "four"]) box.store([userEntry(id, null, `needle ${id}`)], { id })
  const { paged, stdout } = await shown(box, ["list"], { rows: 3 })
  expect(stdout).toBe("")
  expect(paged).toContain("needle four")
})

test.each([["show", "--no-pager"], ["show", "--json"], ["tree"], ["context"]])(
  "`%s %s` is not paged",
  async (...argv) => {
    const { stdout, command } = await shown(long(), argv.filter(Boolean))
    expect(command).toBeUndefined()
    expect(stdout).not.toBe("")
  },
)

test("nothing is paged in a pipe", async () => {
  const { stdout, command } = await shown(long(), ["show"], { isTTY: false })
  expect(command).toBeUndefined()
  expect(stdout).toContain("needle 39")
})

test("messages wait until the pager has ended", async () => {
  const { stderr, paged } = await shown(long(), ["search", "needle", "--limit", "30"])
  expect(paged).not.toContain("There are more")
  expect(stderr).toContain("There are more hits; --limit shows more.\n")
})

test("a pager that the user named and that cannot be started is mentioned; a missing less is not", async () => {
  const named = await shown(long(), ["show"], { env: { PAGER: "lss" } }, "ENOENT")
  expect(named.stderr).toBe("The pager lss cannot be started (ENOENT); --no-pager does without.\n")
  expect(named.stdout).toContain("needle 39")
  const missing = await shown(long(), ["show"], {}, "ENOENT")
  expect([missing.code, missing.stderr]).toEqual([0, ""])
  expect(missing.stdout).toContain("needle 39")
})

test("the exit code is that of the command", async () => {
  const box = long()
  expect((await shown(box, ["search", "nothing-like-it"])).code).toBe(1)
  expect((await shown(box, ["show", "nothing"])).code).toBe(3)
})
