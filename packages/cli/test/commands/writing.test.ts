import { mkdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { TEST_START, userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { sandbox } from "../sandbox.js"

test("new makes the file at once, and prints id and path", async () => {
  const box = sandbox()
  const [id = "", path = ""] = (await box.print("new", "--name", "Audit")).split("  ")
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(3)
  expect(JSON.parse(readFileSync(path, "utf8").split("\n")[0] ?? "")).toMatchObject({
    id,
    cwd: box.project,
    version: 3,
  })
  expect(await box.print("name", id)).toBe("Audit")
})

test("new takes an id, a parent and a folder", async () => {
  const box = sandbox()
  const parent = box.store([], { id: "parent" })
  const { json } = await box.run(["new", "--id", "nightly", "--parent", "parent", "--cwd", "../other", "--json"])
  expect(json).toEqual([
    {
      v: 1,
      sessionId: "nightly",
      path: expect.stringContaining("_nightly.jsonl"),
      cwd: `${box.folder}/other`,
      leafId: null,
    },
  ])
  const header = readFileSync(json[0]?.path as string, "utf8").split("\n")[0] ?? ""
  expect(JSON.parse(header)).toMatchObject({ parentSession: parent })
})

test.each(["omp", "xcsh"])("new and fork put a session where %s looks for it", async (store) => {
  const box = sandbox()
  const [made] = (await box.run(["new", "--id", "one", "--store", store, "--json"])).json
  const [forked] = (await box.run(["fork", "one", "--to", box.folder, "--store", store, "--json"])).json
  const folder = `${box.folder}/.${store}/agent/sessions`
  expect([made?.path, forked?.path].map((path) => dirname(String(path)))).toEqual([`${folder}/-project`, `${folder}/-`])
  expect((await box.run(["list", "--store", store, "--json"])).json).toMatchObject([{ id: "one" }])
})

test("append takes a role and a text", async () => {
  const box = sandbox()
  await box.print("new", "--id", "s")
  const user = await box.print("append", "s", "--role", "user", "--text", "Hi")
  const answer = await box.print(
    "append",
    "s",
    "--role",
    "assistant",
    "--text",
    "Yes?",
    "--model",
    "anthropic/claude/x",
  )
  await box.print("append", "s", "--role", "custom", "--text", "Remember", "--custom-type", "memory")
  const { json } = await box.run(["show", "s", "--json"])
  const timestamp = TEST_START + 3_600_000
  expect(json[0]?.items).toMatchObject([
    { entry: { id: user, parentId: null, message: { role: "user", content: "Hi", timestamp } } },
    {
      entry: {
        id: answer,
        parentId: user,
        message: {
          role: "assistant",
          content: [{ type: "text", text: "Yes?" }],
          provider: "anthropic",
          model: "claude/x",
        },
      },
    },
    { entry: { type: "custom_message", parentId: answer, customType: "memory", content: "Remember" } },
  ])
})

test("append takes any message as JSON, from the command line or from stdin, and keeps it as it is", async () => {
  const box = sandbox()
  await box.print("new", "--id", "s")
  const message = {
    role: "toolResult",
    toolCallId: "c",
    content: [{ type: "text", text: "ok" }],
    extra: { deep: [1] },
    timestamp: 5,
  }
  await box.print("append", "s", JSON.stringify(message))
  const { code } = await box.run(["append", "s", "-"], {
    stdin: `${JSON.stringify({ role: "user", content: "Hi" })}\n`,
  })
  expect(code).toBe(0)
  const items = (await box.run(["show", "s", "--json"])).json[0]?.items
  expect(items).toMatchObject([{ entry: { message } }, { entry: { message: { timestamp: TEST_START + 3_600_000 } } }])
})

test("branch survives a reload: the next message goes under the entry", async () => {
  const box = sandbox()
  box.store([userEntry("one", null), userEntry("two", "one")])
  const mark = await box.print("branch", "@last", "on")
  await box.print("append", "@last", "--role", "user", "--text", "Other")
  const { json } = await box.run(["context", "--json"])
  expect(json[0]?.messages).toMatchObject([{ content: "one" }, { content: "Other" }])
  expect(mark).toMatch(/^[0-9a-f]{8}$/)
})

test("branch to the root begins anew in the same session", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)])
  const { stderr } = await box.run(["branch", "@last", "root"])
  expect(stderr).toBe("The session continues from the beginning.\n")
  await box.print("append", "@last", "--role", "user", "--text", "Other")
  expect((await box.run(["context", "--json"])).json[0]?.messages).toMatchObject([{ content: "Other" }])
})

test("branch --summary reports the new branch what was left", async () => {
  const box = sandbox()
  box.store([userEntry("one", null), userEntry("two", "one")])
  const { json } = await box.run(["branch", "@last", "one", "--summary", "It did not help", "--json"])
  expect(json[0]).toMatchObject({ v: 1, targetId: "one", entryId: json[0]?.leafId })
  expect((await box.run(["context", "--json"])).json[0]?.messages).toMatchObject([
    { content: "one" },
    { role: "branchSummary", summary: "It did not help", fromId: "two" },
  ])
})

test("fork copies all branches for a folder, and leaves the source as it was", async () => {
  const box = sandbox()
  const source = box.store([userEntry("one", null), userEntry("two", "one"), userEntry("three", "one")])
  const before = readFileSync(source, "utf8")
  const refused = await box.run(["fork", "@last", "--to", "../copy"])
  expect(refused.stderr).toContain(`There is no folder ${box.folder}/copy`)
  expect([refused.code, (await box.run(["list", "--all", "--json"])).json.length]).toEqual([2, 1])
  mkdirSync(join(box.folder, "copy"))
  const { json } = await box.run(["fork", "@last", "--to", "../copy", "--json"])
  expect(json[0]).toMatchObject({ cwd: `${box.folder}/copy` })
  expect(readFileSync(source, "utf8")).toBe(before)
  const { json: copy } = await box.run(["tree", json[0]?.path as string, "--json"])
  expect(copy[0]?.nodes).toMatchObject([{ id: "one" }, { id: "two" }, { id: "three" }])
})

test("fork --leaf copies the way to one entry, for another folder too", async () => {
  const box = sandbox()
  box.store([userEntry("one", null), userEntry("two", "one"), userEntry("three", "one")])
  const here = (await box.run(["fork", "@last", "--leaf", "two", "--json"])).json[0]
  expect(here).toMatchObject({ cwd: box.project, leafId: "two" })
  mkdirSync(join(box.folder, "copy"))
  const there = (await box.run(["fork", "test-session", "--leaf", "two", "--to", "../copy", "--json"])).json[0]
  expect(there).toMatchObject({ cwd: `${box.folder}/copy`, path: expect.stringContaining("-copy--/") })
  expect((await box.run(["show", there?.path as string, "--json"])).json[0]?.items).toHaveLength(2)
})

test("fork --leaf of a session whose folder is gone copies nothing, unless --to names another", async () => {
  const box = sandbox()
  box.store([userEntry("one", null), userEntry("two", "one")], { cwd: join(box.folder, "gone") })
  const argv = ["fork", "test-session", "--leaf", "one"]
  const { code, stderr } = await box.run(argv)
  expect(code).toBe(2)
  expect(stderr).toContain(`The folder of the session is gone: ${box.folder}/gone. --to names`)
  expect((await box.run(["list", "--all", "--json"])).json).toHaveLength(1)
  expect((await box.run([...argv, "--to", box.project, "--json"])).json[0]).toMatchObject({ cwd: box.project })
})

test("label sets and clears, by the beginning of an id", async () => {
  const box = sandbox()
  box.store([userEntry("one1", null)])
  await box.print("label", "@last", "one", "here")
  expect(await box.print("tree", "--filter", "labeled-only")).toContain("[here] one1")
  const { json } = await box.run(["label", "@last", "one1", "--json"])
  expect(json[0]).toMatchObject({ v: 1, targetId: "one1", label: null })
  expect(await box.print("tree", "--filter", "labeled-only")).toBe("")
})

test("name sets, prints and clears; a session is found by it", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "Hello")])
  expect((await box.run(["name", "@last"])).stderr).toBe("The session has no name.\n")
  await box.print("name", "@last", "Audit the API")
  expect(await box.print("name", "Audit the API")).toBe("Audit the API")
  await box.print("name", "Audit the API", "--clear")
  expect((await box.run(["name", "@last", "--json"])).json[0]).toMatchObject({ v: 1, name: null })
})
