import { entry, messageEntry, userEntry, userMessage } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { sampleEntries } from "../sample.js"
import { type Sandbox, sandbox } from "../sandbox.js"

const HOUR = 3_600_000

/** Three sessions of the project, of which `new` is the newest, and one of another folder. */
function three(): { box: Sandbox; paths: Record<"old" | "middle" | "new", string> } {
  const box = sandbox()
  const store = (id: string, hours: number, texts: readonly string[], name?: string): string => {
    const at = Date.UTC(2026, 2, 7, 12) - hours * HOUR
    const entries = texts.map((text, index) =>
      messageEntry(`u${index}`, index === 0 ? null : `u${index - 1}`, userMessage(text, { timestamp: at + index })),
    )
    const named = name === undefined ? [] : [entry("session_info", "name", "u0", { name })]
    return box.store([...entries, ...named], { id, timestamp: new Date(Date.UTC(2026, 0, 1) + hours).toISOString() })
  }
  const paths = {
    old: store("old", 9, ["Résumé parser", "with a needle"], "b named"),
    middle: store("middle", 5, ["変更日志"], "A named"),
    new: store("new", 1, ["Fix it"]),
  }
  box.store([userEntry("x", null, "Elsewhere")], { id: "elsewhere", cwd: "/elsewhere" })
  return { box, paths }
}

test("--last prints the newest session of the folder, or of all", async () => {
  const { box, paths } = three()
  expect(await box.print("resume", "--last")).toBe(paths.new)
  expect(await box.print("resume", "--last", "--print", "id")).toBe("new")
  expect(await box.print("resume", "--last", "--all", "--print", "id")).toBe("elsewhere")
  expect(await box.print("resume", "--last", "--query", "needle", "--print", "id")).toBe("old")
  expect(await box.print("resume", "--last", "--named", "--print", "id")).toBe("middle")
  expect(await box.print("resume", "--last", "--sort", "created", "--print", "id")).toBe("old")
})

test("prints the one that is named, by path, id, the start of an id, or name", async () => {
  const { box, paths } = three()
  for (const ref of [paths.old, "old", "ol", "b named", "@-3"])
    expect(await box.print("resume", ref), ref).toBe(paths.old)
  expect(await box.print("resume", "old", "--print", "id")).toBe("old")
  expect(await box.print("resume", "--print", "old")).toBe(paths.old)
  expect(await box.print("resume", "--print", "id", "old")).toBe("old")
})

test("without a terminal, --query prints every session that holds it: in names, first messages, prompts and ids", async () => {
  const { box, paths } = three()
  expect(await box.print("resume", "--query", "NAMED")).toBe(`${paths.middle}\n${paths.old}`)
  expect(await box.print("resume", "--query", "named", "--sort", "name", "--print", "id")).toBe("middle\nold")
  expect(await box.print("resume", "--query", "resume needle", "--print", "id")).toBe("old")
  expect(await box.print("resume", "--query", "更", "--print", "id")).toBe("middle")
  expect(await box.print("resume", "--query", "", "--print", "id")).toBe("new\nmiddle\nold")
})

test("--json gives a document a line", async () => {
  const { box, paths } = three()
  const { json } = await box.run(["resume", "--query", "named", "--json"])
  expect(json).toEqual([
    { v: 1, path: paths.middle, id: "middle", cwd: box.project, name: "A named" },
    { v: 1, path: paths.old, id: "old", cwd: box.project, name: "b named" },
  ])
  expect((await box.run(["resume", "new", "--json"])).json).toEqual([
    { v: 1, path: paths.new, id: "new", cwd: box.project },
  ])
})

test.each([
  [["--last"], "There is no session of "],
  [["--last", "--named"], "There is no session with a name of "],
  [["--query", "x"], "No session of "],
  [["nothing"], "No session has the path"],
])("3: %j of nothing finds nothing", async (argv, message) => {
  const { code, stdout, stderr } = await sandbox().run(["resume", ...argv])
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" })
  expect(stderr).toContain(`treelog: ${message}`)
})

test("what cannot be read is left out, and mentioned", async () => {
  const box = sandbox()
  const path = box.store(sampleEntries(), { id: "good" })
  box.store([], { id: "bad" })
  box.write(path.slice(box.folder.length).replace("good", "bad"), '{"type":"nonsense"}\n')
  const { stdout, stderr } = await box.run(["resume", "--last", "--print", "id"])
  expect(stdout).toBe("good\n")
  expect(stderr).toBe("1 session cannot be read; `treelog list` shows why.\n")
})

test("2: without a terminal, or with --no-input, it says what does without", async () => {
  const { box } = three()
  for (const argv of [["resume"], ["resume", "--no-input"], ["resume", "--json"]]) {
    const { code, stdout, stderr } = await box.run(argv)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    for (const twin of ["--last", "name a session", "--query TEXT"]) expect(stderr).toContain(twin)
  }
  expect((await box.run(["resume", "--no-input"])).stderr).toContain("--no-input")
})

test("2: a session goes with no choice among others", async () => {
  for (const argv of [["--last"], ["--query", "x"], ["--named"]])
    expect((await sandbox().run(["resume", "x", ...argv])).code).toBe(2)
})
