import { mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"
import { started, withAgents } from "../stand-in-agents.js"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))

/** The complete example of docs/agents.md. */
const [, ACME = ""] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, "docs/agents.md"), "utf8")) ?? []

/** A home with a session of Acme, one of Claude Code's kind in treelog's own store, and the kit beside the definitions. */
function home(): Sandbox {
  const box = sandbox()
  mkdirSync(join(box.folder, "node_modules/@treelog"), { recursive: true })
  symlinkSync(join(ROOT, "packages/agents"), join(box.folder, "node_modules/@treelog/agents"), "junction")
  box.write("package.json", `{"type":"module"}`)
  const records = [
    { kind: "start", id: "7f3a", cwd: box.project, at: 1_772_892_000_000 },
    { kind: "prompt", id: "p1", text: "Why is it wrong?", at: 1_772_892_001_000 },
    { kind: "answer", id: "a1", text: "The sign.", model: "acme-1", tokens: { in: 10, out: 5 }, at: 1_772_892_002_000 },
  ]
  box.write(".acme/sessions/7f3a.jsonl", records.map((record) => `${JSON.stringify(record)}\n`).join(""))
  box.store([{ type: "message", id: "00000001", message: { role: "user", content: "Hello from treelog" } }], {
    id: "own",
  })
  return box
}

test("an agent that the setting names is in every command that reads", async () => {
  const box = home()
  box.write("acme.js", ACME)
  expect(await box.print("list")).not.toContain("Why is it wrong?")
  await box.print("config", "set", "agents", "../acme.js")
  expect(await box.print("config", "get")).toBe(`agents ${join(box.folder, "acme.js")}`)

  expect((await box.run(["list", "--json"])).json).toContainEqual(expect.objectContaining({ id: "7f3a" }))
  expect(await box.print("list", "--store", "acme")).toContain("Why is it wrong?")
  expect(await box.print("search", "sign")).toContain("7f3a")
  expect(await box.print("show", "7f3a")).toContain("The sign.")
  expect(await box.print("context", "7f3a")).toContain("The sign.")
  expect(await box.print("stats", "--by", "agent")).toMatch(/acme.* 15\b/)
  expect(
    await box.run(["resume", "7f3a"], { ...withAgents(box, 0, "acme"), isTTY: true, isAsked: true }),
  ).toMatchObject({ code: 0 })
  expect(started(box)).toEqual([box.project, "acme", "--resume", "7f3a"])
  expect((await box.run(["verify", "--all", "--json"])).json).toContainEqual(expect.objectContaining({ id: "7f3a" }))
  expect(await box.print("doctor")).toMatch(/acme +.*\.acme/)
  await box.print("import", "7f3a", "--from", "acme")
  await box.print("config", "unset", "agents")
  expect((await box.run(["list", "--store", "acme"])).code).toBe(2)
})

test("a definition that changes converts its sessions again", async () => {
  const box = home()
  box.write(".treelog/config.json", `{"agents":["../acme.js"]}`)
  box.write("acme.js", ACME)
  expect(await box.print("list", "--store", "acme")).toContain("Why is it wrong?")
  expect(await box.print("show", "7f3a")).toContain("The sign.")
  box.write("changed.js", ACME.replace(`text }]`, `text: text.toUpperCase() }]`))
  await box.print("config", "set", "agents", "../changed.js")
  expect(await box.print("list", "--store", "acme")).toContain("WHY IS IT WRONG?")
  expect(await box.print("show", "7f3a")).toContain("THE SIGN.")
})

const FAULTS: readonly [what: string, code: string | undefined, why: RegExp][] = [
  ["is missing", undefined, /there is no such file/],
  ["throws", `throw new Error("no licence")`, /cannot be loaded: no licence/],
  ["is no JavaScript", "export const = 1", /cannot be loaded: /],
  ["exports no definition", "export const agent = { place: {} }", /exports no `agent` that `defineAgent`/],
  [
    "is made with another kit",
    `${ACME}\nexport const kit = Object.assign(agent, { kit: 99 })`,
    /version 99 of the kit.*version 1/,
  ],
  ["has the name of a known agent", ACME.replace(`"acme", folders`, `"codex", folders`), /a store codex already/],
  ["has a name that is none", ACME.replace(`"acme", folders`, `"Acme:1", folders`), /place\.name/],
]

test.each(FAULTS)("a file that %s is named, and all other stores are read", async (_, code, why) => {
  const box = home()
  box.write("acme.js", ACME)
  if (code !== undefined) box.write("bad.js", code)
  const refused = await box.run(["config", "set", "agents", "../bad.js"])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(why) })
  expect(refused.stderr).toContain(join(box.folder, "bad.js"))
  box.write(".treelog/config.json", `{"agents":["../bad.js","../acme.js"]}`)
  const { stdout, stderr } = await box.run(["list"])
  expect(stdout).toContain("Hello from treelog")
  expect(stdout).toContain("Why is it wrong?")
  expect(stderr).toMatch(why)
  expect((await box.run(["doctor"])).stdout).toContain("bad.js")
})

const STORE = 'sessionFiles(options, { paths: ["sessions/*.jsonl"] })'

const BROKEN: readonly [what: string, code: string, why: RegExp][] = [
  ["store", ACME.replace(STORE, '{ throw new Error("no disk") }'), /`store` of the agent acme throws Error: no disk/],
  [
    "search for sessions",
    ACME.replace(STORE, '({ ...sessionFiles(options, { paths: [] }), list() { throw new Error("no list") } })'),
    /\.acme.*Error: no list/,
  ],
  ["converter", ACME.replace("end: () => header", 'end() { throw new Error("no end") }'), /7f3a\.jsonl.*Error: no end/],
]

test.each(BROKEN)("a definition whose %s throws breaks its own sessions alone", async (_, code, why) => {
  expect(code).not.toBe(ACME)
  const box = home()
  box.write("acme.js", code)
  await box.print("config", "set", "agents", "../acme.js")
  for (const command of ["list", "stats", "verify"]) {
    const { stdout, stderr } = await box.run([command, "--all"])
    expect(stdout + stderr, command).not.toContain("unexpected")
    if (command === "list") expect(stdout).toContain("Hello from treelog")
    if (command === "verify") expect(stdout + stderr).toMatch(why)
  }
})

test("a store that an unusable definition may have is not taken for a mistyped folder alone", async () => {
  const box = home()
  box.write(".treelog/config.json", `{"agents":["../bad.js"]}`)
  expect((await box.run(["list", "--store", "acme"])).stderr).toMatch(/acme is not a store.*bad\.js.*no such file/)
})

test("no file is not the current folder", async () => {
  expect(await home().run(["config", "set", "agents", ""])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("config unset agents"),
  })
})

test("two definitions of one name: the first is read, the second is named", async () => {
  const box = home()
  box.write("acme.js", ACME)
  box.write("second.js", ACME)
  const { code, stderr } = await box.run(["config", "set", "agents", "../acme.js,../second.js"])
  expect(code).toBe(2)
  expect(stderr).toMatch(/second\.js cannot be used: another file defines an agent acme/)
})
