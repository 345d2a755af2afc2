import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assistantMessage, messageEntry, toolResultMessage, userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { sampleEntries } from "../sample.js"
import { sandbox } from "../sandbox.js"

test("prints each hit with its session, its time, what matched, and the command that shows it", async () => {
  const box = sandbox()
  box.store(sampleEntries(), { id: "sample" })
  const { code, stdout, stderr } = await box.run(["search", "place"])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "TIME")).toMatchInlineSnapshot(`
    "Discount  sample  1h
      TIME  assistant  The field is in place.
        treelog show sample --leaf aaaa0005
    "
  `)
  expect(await box.print("show", "sample", "--leaf", "aaaa0005")).toContain("The field is in place.")
})

test("of one session, only that was looked in", async () => {
  const box = sandbox()
  box.store(sampleEntries(), { id: "sample" })
  const expected = 'Nothing was found in a session "sample". Instructions and reminders are found with role:other.\n'
  expect((await box.run(["search", "zebra", "--session", "@last"])).stderr).toBe(expected)
  expect((await box.run(["search", "zebra", "session:sample"])).stderr).toBe(expected)
})

test("names the file of one of several sessions with the same id, so that the command shows what was found", async () => {
  const box = sandbox()
  const id = "11111111-1111-4111-8111-111111111111"
  const pathOf = (folder: string) => join(box.folder, ".claude/projects", folder, `${id}.jsonl`)
  for (const [folder, content] of Object.entries({ "-a": "Here is quartz", "-b": "Here is topaz, later" })) {
    const uuid = `u${folder}`
    const line = { type: "user", uuid, parentUuid: null, sessionId: id, cwd: "/a", message: { role: "user", content } }
    mkdirSync(dirname(pathOf(folder)), { recursive: true })
    writeFileSync(pathOf(folder), `${JSON.stringify({ ...line, timestamp: "2026-02-10T09:00:00.000Z" })}\n`)
    utimesSync(pathOf(folder), 1e9, 1e9 + folder.charCodeAt(1))
  }
  const search = () => box.run(["search", "quartz", "--all", "--store", "claude-code"], { env: { HOME: box.folder } })
  await search()
  const command = /treelog (show .*)/.exec((await search()).stdout)?.[1] ?? ""
  expect(command).toContain(pathOf("-a"))
  const { stdout } = await box.run(command.split(" "), { env: { HOME: box.folder } })
  expect(stdout).toContain("Here is quartz")
})

test("highlights what matched on a terminal with colours, and no line of a hit is wider", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, `${"before ".repeat(40)}needle${" after".repeat(40)}`)], { id: "sample" })
  const { stdout } = await box.run(["search", "needle"], { isTTY: true, columns: 60 })
  const esc = String.fromCharCode(0x1b)
  expect(stdout).toContain(`${esc}[1m${esc}[33mneedle`)
  const plain = stdout.replaceAll(new RegExp(`${esc}\\[\\d+m`, "g"), "").split("\n")
  expect(plain.filter((line) => line.length > 60)).toEqual([])
  expect(plain[1]).toMatch(/…before .*needle after .*…$/)
})

test("finds answers, thoughts, calls, results, summaries, labels and names, newest first", async () => {
  const box = sandbox()
  box.store(sampleEntries(), { id: "sample" })
  const rolesOf = async (...argv: string[]): Promise<unknown[]> =>
    (await box.run(["search", ...argv, "--json"])).json.map(({ role }) => role)
  expect(await rolesOf("field", "place")).toEqual(["assistant"])
  expect(await rolesOf("form first")).toEqual(["thinking"])
  expect(await rolesOf("form.tsx")).toEqual(["toolCall"])
  expect(await rolesOf("works")).toEqual(["label"])
  expect(await rolesOf("rewrite")).toEqual(["summary", "user"])
  expect(await rolesOf("rewrite", "--role", "user")).toEqual(["user"])
  expect(await rolesOf("role:summary rewrite")).toEqual(["summary"])
  expect(await rolesOf("rewrite", "--role", "user", "--role", "summary")).toEqual(["summary", "user"])
  expect(await rolesOf("--tool", "bash")).toEqual(["toolCall", "toolResult"])
  expect(await rolesOf("nothing like that")).toEqual([])
})

test.each(["+", "* -"])("%s alone is refused: everything would be found", async (text) => {
  const box = sandbox()
  box.store([userEntry("one", null, "needle")], { id: "sample" })
  expect(await box.run(["search", "--", text])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("has nothing to search for"),
  })
  expect(await box.print("search", "--", "needle", text)).toContain("needle")
})

test.each(["-slow", "-new", "-slow flaky"])("%s as an option is refused with how to exclude words", async (text) => {
  const { code, stderr } = await sandbox().run(["search", "needle", text])
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("write the text after --") })
  expect((await sandbox().run(["search", "needle", "-n", "x"])).stderr).not.toContain("--:")
  expect((await sandbox().run(["list", "-slow"])).stderr).not.toContain("--:")
})

test('takes since:"last week" as a shell passes it on', async () => {
  const box = sandbox()
  box.store([{ ...userEntry("old1", null, "needle"), timestamp: "2024-05-01T10:00:00.000Z" }], { id: "old" })
  box.store([userEntry("new1", null, "needle")], { id: "new" })
  const { code, json } = await box.run(["search", "needle", "since:last year", "--json"])
  expect({ code, found: json.map(({ entryId }) => entryId) }).toEqual({ code: 0, found: ["new1"] })
})

test("a filter of time, model, file or session limits it, in the text or as an option", async () => {
  const box = sandbox()
  const old = { ...userEntry("old1", null, "needle"), timestamp: "2024-05-01T10:00:00.000Z" }
  box.store([old], { id: "old" })
  const answer = messageEntry("new2", "new1", assistantMessage("needle", { provider: "acme", model: "large" }))
  const call = { type: "toolCall" as const, id: "call", name: "edit", arguments: { path: "src/shop.ts" } }
  const edit = messageEntry("new3", "new2", assistantMessage("", { content: [call] }))
  const result = messageEntry("new4", "new3", toolResultMessage("done"))
  box.store([userEntry("new1", null, "needle"), answer, edit, result], { id: "new" })
  const found = async (...argv: string[]): Promise<unknown[]> =>
    (await box.run(["search", "needle", ...argv, "--json"])).json.map(({ entryId }) => entryId).sort()
  expect(await found()).toEqual(["new1", "new2", "old1"])
  expect(await found("--since", "2025")).toEqual(["new1", "new2"])
  expect(await found("until:2024-05-01")).toEqual(["old1"])
  expect(await found("--model", "LARGE")).toEqual(["new2"])
  expect(await found("--session", "old")).toEqual(["old1"])
  for (const path of ["shop.ts", "src/shop.ts", "./src/shop.ts", `${box.project}/src/shop.ts`]) {
    expect(await found("--file", path)).toEqual(["new1", "new2"])
    expect(await found(`file:${path}`)).toEqual(["new1", "new2"])
  }
  expect(await found("--file", "./shop.ts")).toEqual(["new1", "new2"])
  expect(await found("--limit", "1")).toHaveLength(1)
})

test("--file takes a path that leads out of the folder, as the agent wrote it or whole", async () => {
  const box = sandbox()
  const above = box.project.replace(/[/\\][^/\\]+$/, "")
  const edit = (id: string, path: string): object => {
    const call = { type: "toolCall" as const, id, name: "edit", arguments: { path } }
    return messageEntry(id, null, assistantMessage("needle", { content: [{ type: "text", text: "needle" }, call] }))
  }
  box.store([edit("relative", "../common/x.ts")], { id: "one" })
  box.store([edit("whole", `${above}/common/x.ts`)], { id: "two" })
  box.store([edit("inside", "common/x.ts")], { id: "three" })
  const found = async (path: string): Promise<unknown[]> =>
    (await box.run(["search", "needle", "--file", path, "--json"])).json.map(({ entryId }) => entryId).sort()
  expect(await found("../common/x.ts")).toEqual(["relative", "whole"])
  expect(await found("common/x.ts")).toEqual(["inside", "relative", "whole"])
})

test("is about this folder, unless an option or the text says otherwise", async () => {
  const box = sandbox()
  box.store([userEntry("here", null, "needle")], { id: "here" })
  box.store([userEntry("there", null, "needle")], { id: "there", cwd: "/home/ada/there" })
  const ids = async (...argv: string[]): Promise<unknown[]> =>
    (await box.run(["search", "needle", ...argv, "--json"])).json.map(({ entryId }) => entryId).sort()
  expect(await ids()).toEqual(["here"])
  expect(await ids("--all")).toEqual(["here", "there"])
  expect(await ids("--cwd", "/home/ada/there")).toEqual(["there"])
  expect(await ids("project:there")).toEqual(["there"])
  expect(await ids("--session", "there")).toEqual(["there"])
  expect((await box.run(["search", "elsewhere"])).stderr).toBe(
    `Nothing was found in the sessions of ${box.project} in ${box.agentDir}; --all searches every folder. Instructions and reminders are found with role:other.\n`,
  )
  expect((await box.run(["search", "elsewhere", "--all"])).stderr).toBe(
    `Nothing was found in ${box.agentDir}. Instructions and reminders are found with role:other.\n`,
  )
  const folder = join(box.folder, "no-sessions")
  const nowhere = await box.run(["search", "needle", "--session-dir", folder])
  expect(nowhere).toMatchObject({ code: 6, stderr: expect.stringContaining(`looked in ${folder}, for sessions of`) })
  expect(await box.print("search", "needle", "--all")).toContain("/home/ada/there")
})

test("says that there is more than the limit", async () => {
  const box = sandbox()
  box.store(["a", "b", "c"].map((id) => userEntry(id, null, "needle")))
  const { stdout, stderr } = await box.run(["search", "needle", "--limit", "2"])
  expect(stdout.match(/treelog show/g)).toHaveLength(2)
  expect(stderr).toBe("There are more hits; --limit shows more.\n")
})

test("flags that were pasted are searched behind --, and named where they are not", async () => {
  const box = sandbox()
  box.store([userEntry("a", null, "git commit --no-verify -m wip")])
  const bare = await box.run(["search", "commit", "--no-verify"])
  expect(bare).toMatchObject({ code: 2, stdout: "" })
  expect(bare.stderr).toContain(": treelog search -- commit --no-verify\n")
  expect((await box.run(["search", "a b", "--dry-rn"])).stderr).toContain(": treelog search -- 'a b' --dry-rn\n")
  expect((await box.run(["search", "a", "--role", "none"])).stderr).not.toContain("after --")
  expect(await box.print("search", "--", "commit", "--no-verify")).toContain("--no-verify")
  expect((await box.run(["search", "commit -m"])).stderr).toContain('Texts with "m" are left out.')
})

test("--context prints what stands around a hit on its branch", async () => {
  const box = sandbox()
  box.store(
    ["one", "two", "three", "four"].map((id, at, all) => userEntry(id, all[at - 1] ?? null, `It is ${id}.`)),
    { id: "sample" },
  )
  const [hit] = (await box.run(["search", "three", "--context", "1", "--json"])).json
  expect(hit?.context).toEqual({
    before: [{ entryId: "two", who: "user", text: "It is two." }],
    after: [{ entryId: "four", who: "user", text: "It is four." }],
  })
  expect(await box.print("search", "three", "--context", "0")).toBe(await box.print("search", "three"))
  expect((await box.run(["search", "three", "--context", "-1"])).stderr).toContain("a whole number from 0")
  expect(await box.print("search", "three", "--context", "5")).toMatch(/It is two\.\n.*It is three\.\n.*It is four\.\n/)
})

test("names the store in the command that shows a hit, if an option named it", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "needle")], { id: "sample" })
  const { stdout } = await box.run(["search", "needle", "--agent-dir", box.agentDir])
  expect(stdout).toContain(`treelog show sample --leaf one --agent-dir ${box.agentDir}\n`)
})

test("--all-stores searches the stores of all programs, and says whose a session is", async () => {
  const box = sandbox()
  box.store([userEntry("ours", null, "needle")], { id: "ours" })
  const path = box.store([userEntry("theirs", null, "needle")], { id: "theirs" })
  box.write(
    `.pi/${path.slice(box.folder.length)}`,
    `${JSON.stringify({ type: "session", version: 3, id: "theirs", cwd: box.project, timestamp: "2026-03-07T14:00:00.000Z" })}\n${JSON.stringify(userEntry("pi1", null, "needle"))}\n`,
  )
  rmSync(path)
  const { json } = await box.run(["search", "needle", "--all-stores", "--json"])
  expect(json.map(({ store, entryId }) => [store, entryId]).sort()).toEqual([
    ["pi", "pi1"],
    ["treelog", "ours"],
  ])
  const { stdout } = await box.run(["search", "needle", "--all-stores"])
  expect(stdout).toMatch(/ {2}pi$/m)
  expect(stdout).toContain("treelog show theirs --leaf pi1 --store pi\n")
  const listed = await box.run(["list", "--all-stores"])
  expect(listed.stdout).toMatch(/^ours +treelog .*\n/m)
  expect(listed.stdout).toMatch(/^theirs +pi .*\n/m)
})

test("a session that cannot be read is a warning, and the others are searched", async () => {
  const box = sandbox()
  writeFileSync(box.store([], { id: "bad" }), '{"type":"message","id":"a","parentId":null}\n')
  box.store([userEntry("one", null, "needle")], { id: "good" })
  const { code, stdout, stderr } = await box.run(["search", "needle"])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "1 session cannot be read; `treelog verify --all` shows why.\n" })
  expect(stdout).toContain("treelog show good --leaf one")
})

test("finds what was appended and not what was deleted since the last search", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "needle")], { id: "first" })
  const second = box.store([userEntry("two", null, "needle")], { id: "second" })
  const found = async (): Promise<unknown[]> =>
    (await box.run(["search", "needle", "--json"])).json.map(({ entryId }) => entryId).sort()
  expect(await found()).toEqual(["one", "two"])
  await box.print("append", "first", "--role", "user", "--text", "Another needle")
  expect(await found()).toHaveLength(3)
  rmSync(second)
  expect(await found()).toHaveLength(2)
})

test("130: an interrupted search ends", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "needle")])
  expect((await box.run(["search", "needle"], { interrupted: AbortSignal.abort() })).code).toBe(130)
  expect(await box.print("search", "needle")).toContain("needle")
})
