import { writeFileSync } from "node:fs"
import { nodeFs } from "@treelog/storage-fs"
import { describe, expect, test, vi } from "vitest"
import { fingerprint, hold, listedIds, NOW, storeAged } from "../housekeeping-box.js"
import { type Sandbox, sandbox } from "../sandbox.js"

/** The ids that would go, oldest first. */
async function pruned(box: Sandbox, ...argv: string[]): Promise<string[]> {
  const { json, code } = await box.run(["delete", ...argv, "--json"], NOW)
  expect(code).toBe(0)
  return json.filter(({ keptFor }) => keptFor === null).map(({ id }) => String(id))
}

describe("what may go", () => {
  test("--older-than goes by the last message, not by the file's time.", async () => {
    const box = sandbox()
    for (const days of [1, 29, 31, 60]) storeAged(box, `d${days}`, days)
    expect(await pruned(box, "--older-than", "30d")).toEqual(["d60", "d31"])
    expect(await pruned(box, "--older-than", "0")).toEqual(["d60", "d31", "d29", "d1"])
  })

  test("--keep-last keeps the newest of each project.", async () => {
    const box = sandbox()
    for (const days of [1, 2, 3]) {
      storeAged(box, `here${days}`, days)
      storeAged(box, `there${days}`, days, { cwd: "/there" })
    }
    expect(await pruned(box, "--keep-last", "2")).toEqual(["here3"])
    expect((await pruned(box, "--keep-last", "1", "--all")).sort()).toEqual(["here2", "here3", "there2", "there3"])
  })

  test("--max-size takes the oldest until the rest fits, artifacts counted.", async () => {
    const box = sandbox()
    for (const days of [1, 2, 3, 4]) {
      const path = storeAged(box, `d${days}`, days)
      box.write(`${path.slice(box.folder.length, -".jsonl".length)}/out.txt`, "x".repeat(10_240))
    }
    expect(await pruned(box, "--max-size", "25kb")).toEqual(["d4", "d3"])
    expect(await pruned(box, "--max-size", "1mb")).toEqual([])
    expect(await pruned(box, "--max-size", "0")).toEqual(["d4", "d3", "d2", "d1"])
  })

  test("--empty means those without a message.", async () => {
    const box = sandbox()
    storeAged(box, "full", 9)
    box.store([], { id: "empty" })
    expect(await pruned(box, "--empty")).toEqual(["empty"])
  })

  test("--project means one folder, and of several options all have to fit.", async () => {
    const box = sandbox()
    storeAged(box, "here", 90)
    storeAged(box, "there-old", 90, { cwd: "/there" })
    storeAged(box, "there-new", 2, { cwd: "/there" })
    expect(await pruned(box, "--project", "/there")).toEqual(["there-old", "there-new"])
    expect(await pruned(box, "--project", "/there", "--older-than", "30d")).toEqual(["there-old"])
    expect(await pruned(box, "--project", "/there", "--older-than", "30d", "--keep-last", "2")).toEqual([])
  })

  test("What was active within the last hour stays, unless it is asked for.", async () => {
    const box = sandbox()
    storeAged(box, "now", 0.5 / 24)
    storeAged(box, "earlier", 2 / 24)
    expect(await pruned(box, "--keep-last", "1")).toEqual(["earlier"])
    const { stderr } = await box.run(["delete", "--max-size", "0"], NOW)
    expect(stderr).toContain("In use: 1 active within the last hour; --older-than 0 includes them.")
    expect(await pruned(box, "--max-size", "0", "--older-than", "0")).toEqual(["earlier", "now"])
  })

  test.each([
    [[], "Choose what to delete"],
    [["--apply"], "Choose what to delete"],
    [["--project", "/x", "--all"], "--project cannot be combined"],
    [["--max-size", "much"], "It must be a size such as 500mb"],
    [["--older-than", "long"], "It must be a time such as 90s"],
    [["--keep-last", "-1"], "It must be a whole number from 1."],
  ])("2: %j cannot be understood.", async (argv, message) => {
    const box = sandbox()
    storeAged(box, "one", 9)
    const before = box.snapshot()
    const { code, stderr } = await box.run(["delete", ...argv], NOW)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(box.snapshot()).toEqual(before)
  })
})

describe("what stays all the same", () => {
  test("Sessions with a name or a label stay, are reported, and go when they are asked for.", async () => {
    const box = sandbox()
    storeAged(box, "plain", 90)
    storeAged(box, "named", 90, { name: "Keep me" })
    storeAged(box, "labelled", 90, { label: "here" })
    storeAged(box, "quoting", 90)
    const { stderr } = await box.run(["delete", "--older-than", "30d"], NOW)
    expect(stderr).toContain("2 of 4 sessions")
    expect(stderr).toContain("Kept: 1 named, 1 labelled.")
    expect((await pruned(box, "--older-than", "30d", "--include-named")).sort()).toEqual(["named", "plain", "quoting"])
    expect(await pruned(box, "--older-than", "30d", "--include-named", "--include-labelled")).toHaveLength(4)
  })

  test("A label that was taken off keeps nothing, and one in a text neither.", async () => {
    const box = sandbox()
    storeAged(box, "cleared", 90, { label: "" })
    expect(await pruned(box, "--older-than", "30d")).toEqual(["cleared"])
  })

  test("A session that someone writes is never taken, and what cannot be read neither.", async () => {
    const box = sandbox()
    await hold(box, storeAged(box, "held", 90))
    writeFileSync(storeAged(box, "bad", 90), "nonsense\n")
    storeAged(box, "free", 90)
    const { code, stderr } = await box.run(["delete", "--older-than", "30d", "--apply"], NOW)
    expect(code).toBe(0)
    expect(stderr).toContain("Kept: 1 in use by another process. Skipped: 1 that cannot be read.")
    expect(await listedIds(box)).toEqual(["bad", "held"].sort())
  })

  test("--max-size says what is too much when too little may go.", async () => {
    const box = sandbox()
    storeAged(box, "named", 90, { name: "Keep me" })
    const { stderr } = await box.run(["delete", "--max-size", "0"], NOW)
    expect(stderr).toMatch(/Nothing to delete\. Kept: 1 named\. \d+ B more than --max-size would be left\./)
  })
})

describe("prune and restore", () => {
  test("A dry run changes no byte, no time and no name.", async () => {
    const box = sandbox()
    for (const days of [1, 40, 80]) storeAged(box, `d${days}`, days, { label: days === 40 ? "x" : "" })
    const before = box.snapshot()
    const { code, stdout, stderr } = await box.run(["delete", "--older-than", "30d"], NOW)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ID +AGE .*\nd80 /)
    expect(stderr).toContain("This was a dry run; --apply moves them.")
    expect(box.snapshot()).toEqual(before)
  })

  test("What was pruned and restored has the same names, inodes, times and hashes.", async () => {
    const box = sandbox()
    for (let days = 1; days <= 60; days++) {
      const path = storeAged(box, `d${days}`, days, days % 7 === 0 ? { cwd: "/there" } : {})
      if (days % 5 === 0) box.write(`${path.slice(box.folder.length, -".jsonl".length)}/a/b.txt`, `artifact ${days}`)
      if (days % 9 === 0) writeFileSync(`${path}.slim.bak`, "as it was")
    }
    const before = fingerprint(box)
    const { code, stderr } = await box.run(["delete", "--all", "--older-than", "20d", "--apply"], NOW)
    expect(code).toBe(0)
    expect(stderr).toContain("41 of 60 sessions")
    expect(await listedIds(box)).toHaveLength(19)
    const [, batch = ""] = /`treelog trash restore (\S+)` restores them/.exec(stderr) ?? []
    expect((await box.run(["trash", "restore", batch])).stdout.trim().split("\n")).toHaveLength(41)
    expect(fingerprint(box)).toEqual(before)
  })

  test("130: Ctrl-C leaves each session whole, here or there, and nothing held.", async () => {
    const box = sandbox()
    for (let days = 30; days < 60; days++) storeAged(box, `d${days}`, days)
    const before = fingerprint(box)
    const interrupt = new AbortController()
    let moved = 0
    const world = { ...NOW, interrupted: interrupt.signal, onWrite: () => ++moved === 5 && interrupt.abort() }
    const { code } = await box.run(["delete", "--older-than", "20d", "--apply", "--json"], world)
    expect(code).toBe(130)
    expect((await listedIds(box)).length).toBeLessThan(30)
    expect((await box.run(["trash", "restore", "--last"])).code).toBe(0)
    expect(fingerprint(box)).toEqual(before)
  })

  test("A session that grew between the look and the move stays.", async () => {
    const box = sandbox()
    const path = storeAged(box, "one", 90)
    storeAged(box, "two", 80)
    let asked = 0
    const onWrite = () => {
      if (++asked === 1) writeFileSync(path.replace("_one", "_two"), "{}\n", { flag: "a" })
    }
    const { code, json } = await box.run(["delete", "--older-than", "30d", "--apply", "--json"], { ...NOW, onWrite })
    expect(code).toBe(1)
    expect(json).toMatchObject([{ id: "one" }, { error: { code: "SessionChangedError" } }])
    expect(await listedIds(box)).toEqual(["two"])
  })
})

/** How many names a command reads in folders. */
async function namesRead(box: Sandbox, ...argv: string[]): Promise<number> {
  const readdir = vi.spyOn(nodeFs, "readdir")
  try {
    expect((await box.run(argv, NOW)).code).toBe(0)
    const folders = await Promise.all(readdir.mock.results.map(({ value }) => Promise.resolve(value).catch(() => [])))
    return folders.flat().length
  } finally {
    readdir.mockRestore()
  }
}

test.each([
  ["delete", "--older-than", "0", "--apply"],
  ["trash", "empty", "--apply"],
])("%s %s reads as many names as there are sessions, not their square.", async (...argv) => {
  const counts: number[] = []
  for (const sessions of [10, 40]) {
    const box = sandbox()
    const storeThem = (kind: string): void => {
      for (let at = 0; at < sessions; at++) storeAged(box, `${kind}${at}`, at + 1)
    }
    storeThem("gone")
    if (argv[0] === "trash") {
      await box.run(["delete", "--older-than", "0", "--apply"], NOW)
      storeThem("still-there")
    }
    counts.push(await namesRead(box, ...argv))
  }
  expect(counts[1]).toBeLessThan(6 * (counts[0] ?? 0))
})

test("--since and --until select by the last message, together with every other option", async () => {
  const box = sandbox()
  for (const days of [1, 5, 40]) storeAged(box, `aged-${days}`, days)
  const ids = async (...argv: string[]): Promise<unknown[]> =>
    (await box.run(["delete", "--json", ...argv], NOW)).json.map(({ id }) => id)
  expect(await ids("--until", "2d")).toEqual(["aged-40", "aged-5"])
  expect(await ids("--since", "7d", "--until", "2d")).toEqual(["aged-5"])
  expect(await ids("--until", "2d", "--older-than", "30d")).toEqual(["aged-40"])
})
