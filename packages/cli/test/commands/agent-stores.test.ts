import { appendFileSync } from "node:fs"
import { claudeFile, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

const ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"

/** A session of Claude Code that belongs to the project. Returns its path. */
function claudeSession(box: Sandbox, id = ID, ...said: string[]): string {
  const folder = box.project.replace(/[^a-zA-Z0-9]/g, "-")
  const words = said.length > 0 ? said : ["Plan the price list", "And now the invoices"]
  return box.write(`.claude/projects/${folder}/${id}.jsonl`, claudeFile(id, box.project, ...words))
}

const STORE = ["--store", "claude-code"]

describe("the sessions of Claude Code", () => {
  test.each([
    ["list"],
    ["list", "--all", "--json"],
    ["list", "--all-stores"],
    ["show"],
    ["show", ID.slice(0, 8)],
    ["show", "--json"],
    ["tree"],
    ["context"],
    ["context", "--llm", "anthropic"],
    ["export"],
    ["export", "--format", "jsonl"],
    ["stats"],
    ["stats", "--all"],
    ["stats", "--by", "day", "--all"],
    ["stats", "--disk"],
    ["search", "invoices"],
    ["search", "invoices", "--all-stores"],
    ["index", "update"],
    ["index", "status"],
    ["files", "form.tsx"],
    ["verify"],
    ["verify", "--all"],
    ["scan"],
    ["watch", "--from-start"],
    ["view"],
    ["name", "@last"],
    ["completion", "zsh", "--", "show", ""],
  ])("are read by `treelog %s %s %s %s`, which changes nothing", async (...argv) => {
    const box = sandbox()
    claudeSession(box)
    const before = box.snapshot()
    const given = argv.filter((part) => part !== undefined)
    const all = given.includes("--all-stores") ? given : [given[0] ?? "", ...STORE, ...given.slice(1)]
    const isEndless = ["watch", "view"].includes(argv[0] ?? "")
    const world = { interrupted: isEndless ? AbortSignal.abort() : new AbortController().signal }
    const { code, stdout, stderr } = await box.run(all, world)
    expect(stderr).not.toContain("Error")
    expect(isEndless || argv[0] === "name" ? 0 : code, stderr).toBe(0)
    expect(stdout + stderr).not.toBe("")
    expect(box.snapshot()).toEqual(before)
  })

  test.each([
    ["new"],
    ["append", ID, "--role", "user", "--text", "x"],
    ["branch", ID, "root"],
    ["name", ID, "other"],
    ["label", ID, "x", "y"],
    ["fork", ID],
    ["compact", ID, "--summary", "-"],
    ["migrate", ID],
    ["slim", ID],
    ["inflate", ID],
    ["repair", ID],
    ["delete", ID],
    ["delete", ID, "--permanent"],
    ["prune", "--all", "--older-than", "0", "--apply"],
    ["trash", "ls"],
    ["restore", "--list"],
    ["relocate", "--from", ".", "--to", "../moved"],
  ])("are refused by `treelog %s %s %s %s %s %s`, which names the import", async (...argv) => {
    const box = sandbox()
    claudeSession(box)
    const before = box.snapshot()
    const given = argv.filter((part) => part !== undefined)
    const { code, stdout, stderr } = await box.run([...given, ...STORE], { stdin: "{}" })
    expect(code).not.toBe(0)
    expect(stdout + stderr).toContain("treelog import --from claude-code")
    expect(box.snapshot()).toEqual(before)
  })

  test("stand beside those of the other programs, with the name of their store", async () => {
    const box = sandbox()
    claudeSession(box)
    box.store([userEntry("own", null)])
    const rows = (await box.run(["list", "--all-stores", "--json"])).json
    expect(rows.map(({ store }) => store).sort()).toEqual(["claude-code", "treelog"])
    expect(rows.find(({ store }) => store === "claude-code")).toMatchObject({
      id: ID,
      firstMessage: "Plan the price list",
    })
  })

  test("are found by a search after they have grown", async () => {
    const box = sandbox()
    const path = claudeSession(box)
    expect(await box.print("search", "invoices", ...STORE, "--json")).toContain(ID)
    appendFileSync(path, claudeFile(ID, box.project, "Something about turtles"))
    expect(await box.print("search", "turtles", ...STORE, "--json")).toContain(ID)
  })

  test("are where CLAUDE_CONFIG_DIR says", async () => {
    const box = sandbox()
    box.write(`elsewhere/projects/x/${ID}.jsonl`, claudeFile(ID, "/home/ada/shop", "hello"))
    const env = { CLAUDE_CONFIG_DIR: `${box.folder}/elsewhere` }
    expect((await box.run(["list", "--all", "--json", ...STORE], { env })).json).toMatchObject([
      { cwd: "/home/ada/shop" },
    ])
  })
})
