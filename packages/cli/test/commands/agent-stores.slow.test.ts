import { join } from "node:path"
import { userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { AGENT_SAMPLES, agentSession, sayMore } from "../agent-samples.js"
import { sandbox } from "../sandbox.js"

const SAID = ["Plan the price list", "And now the invoices"]

/** Stands for the id of the sample in a command. */
const ID = "ID"

/** The rows of a table of commands. */
function commandsOf(...all: readonly (readonly string[])[]) {
  return all.map((argv) => [argv.join(" "), argv] as const)
}

describe.each(AGENT_SAMPLES)("the sessions of $agent", (sample) => {
  const { agent, id, otherId, folder, variable, pathOf, fileOf } = sample
  const store = ["--store", agent]
  const withId = (argv: readonly string[]): string[] => argv.map((part) => (part === ID ? id : part))

  test.each(
    commandsOf(
      ["list"],
      ["list", "--all", "--json"],
      ["list", "--all-stores"],
      ["show"],
      ["show", ID],
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
      ["index", "--update"],
      ["index"],
      ["files", "form.tsx"],
      ["verify"],
      ["verify", "--all"],
      ["scan"],
      ["watch", "--from-start"],
      ["view"],
      ["name", "@last"],
      ["completion", "zsh", "--", "show", ""],
    ),
  )("are read by `treelog %s`, which changes nothing", async (_, argv) => {
    const box = sandbox()
    agentSession(box, sample, id, ...SAID)
    const before = box.snapshot()
    const [name = "", ...rest] = withId(argv)
    const all = rest.includes("--all-stores") ? [name, ...rest] : [name, ...store, ...rest]
    const isEndless = ["watch", "view"].includes(argv[0] ?? "")
    const world = { interrupted: isEndless ? AbortSignal.abort() : new AbortController().signal }
    const { code, stdout, stderr } = await box.run(all, world)
    expect(stderr).not.toContain("Error")
    // No session has the file.
    expect(isEndless || argv[0] === "name" ? 0 : code, stderr).toBe(argv[0] === "files" ? 1 : 0)
    expect(stdout + stderr).not.toBe("")
    expect(box.snapshot()).toEqual(before)
  })

  test.each(
    commandsOf(
      ["new"],
      ["append", ID, "--role", "user", "--text", "x"],
      ["branch", ID, "root"],
      ["name", ID, "other"],
      ["label", ID, "x", "y"],
      ["repair", "--migrate", ID],
      ["blobs", "slim", ID],
      ["blobs", "inflate", ID],
      ["repair", ID],
      ["delete", ID],
      ["delete", ID, "--permanent"],
      ["delete", "--all", "--older-than", "0", "--apply"],
      ["trash", "ls"],
      ["trash", "ls"],
    ),
  )("are refused by `treelog %s`, which names the import", async (_, argv) => {
    const box = sandbox()
    agentSession(box, sample, id, ...SAID)
    const before = box.snapshot()
    const { code, stdout, stderr } = await box.run([...withId(argv), ...store], { stdin: "{}" })
    expect(code).not.toBe(0)
    expect(stdout + stderr).toContain(`treelog import --from ${agent}`)
    expect(box.snapshot()).toEqual(before)
  })

  test("stand beside those of the other programs, with the name of their store", async () => {
    const box = sandbox()
    agentSession(box, sample, id, ...SAID)
    box.store([userEntry("own", null)])
    const rows = (await box.run(["list", "--all-stores", "--json"])).json
    expect(rows.map(({ store }) => store).sort()).toEqual([agent, "treelog"].sort())
    expect(rows.find(({ store }) => store === agent)).toMatchObject({ id, firstMessage: SAID[0], status: "complete" })
  })

  test("are found by a search after they have grown, with the entry that `show` opens", async () => {
    const box = sandbox()
    const path = agentSession(box, sample, id, ...SAID)
    expect(await box.print("search", "invoices", ...store, "--json")).toContain(id)
    sayMore(box, sample, path, "Something about turtles")
    const [hit] = (await box.run(["search", "turtles", "role:user", ...store, "--json"])).json
    expect(hit).toMatchObject({ session: { id }, role: "user" })
    const shown = await box.print("show", id, "--leaf", String(hit?.entryId), ...store)
    expect(shown).toContain("Something about turtles")
    expect(shown).not.toContain("Reply to Something")
  })

  test("have their tokens in the sums, once", async () => {
    const box = sandbox()
    const path = agentSession(box, sample, id, ...SAID)
    agentSession(box, sample, otherId, "hello")
    const sums = async (...argv: string[]) => (await box.run(["stats", ...argv, ...store, "--json"])).json[0]?.total
    expect(await sums("--by", "day", "--all")).toMatchObject({ calls: 3, input: 30, output: 15 })
    expect(await sums(id, "--by", "model")).toMatchObject({ calls: 2, input: 20 })
    sayMore(box, sample, path, "one more")
    expect(await sums("--by", "session", "--all")).toMatchObject({ calls: 4, input: 40, output: 20 })
  })

  test("that are none end no command: lists and verify name them, and sums are complete without", async () => {
    const box = sandbox()
    agentSession(box, sample, id, ...SAID)
    const broken = box.write(join(folder, pathOf(otherId, box.project)), "no line of an agent\n")
    for (const argv of [
      ["list"],
      ["stats", "--all"],
      ["stats", "--by", "day"],
      ["search", "invoices"],
      ["index", "--update"],
      ["index", "--rebuild"],
      ["verify", "--all"],
      ["scan", "--all"],
    ]) {
      const { code, stdout, stderr } = await box.run([...argv, ...store])
      const named = { list: "! broken", verify: broken, scan: broken }[argv[0] ?? ""]
      if (named === undefined || argv[0] === "verify") expect(code, argv.join(" ")).toBe(0)
      if (named !== undefined) expect(`${stdout}${stderr}`, argv.join(" ")).toContain(named)
      expect(stderr, argv.join(" ")).not.toMatch(/^treelog: /)
    }
    expect(await box.print("show", id, ...store)).toContain("Reply to And now the invoices")
  })

  test("are where the agent's variable says", async () => {
    const box = sandbox()
    box.write(join("elsewhere", pathOf(id, "/home/ada/shop")), fileOf(id, "/home/ada/shop", "hello"))
    const env = { [variable]: join(box.folder, "elsewhere") }
    const { json } = await box.run(["list", "--all", "--json", ...store], { env })
    expect(json).toMatchObject([{ cwd: "/home/ada/shop" }])
  })
})
