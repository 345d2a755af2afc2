import { assistantMessage, messageEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { endsOfPath } from "../door.js"
import { type Sandbox, sandbox } from "../sandbox.js"

function callEntry(id: string, name: string, path: string): object {
  return messageEntry(
    id,
    null,
    assistantMessage("", { content: [{ type: "toolCall", id, name, arguments: { path } }] }),
  )
}

function stored(box: Sandbox): void {
  box.store([callEntry("read1", "read", "src/retry.ts"), callEntry("edit1", "edit", `${box.project}/src/retry.ts`)], {
    id: "one",
  })
  box.store([callEntry("edit2", "edit", "retry.ts")], { id: "two", cwd: "/elsewhere" })
}

/** The ids of all uses, sorted. */
function entryIdsOf(documents: readonly { readonly uses?: readonly { readonly entryId: string }[] }[]): string[] {
  return documents.flatMap(({ uses = [] }) => uses.map(({ entryId }) => entryId)).sort()
}

const CANNOT_TELL =
  "What shell commands and unknown tools do to files is not known; `treelog search` finds their calls.\n"

test("lists what read or changed a file, by a path or its end", async () => {
  const box = sandbox()
  stored(box)
  const found = async (...argv: string[]): Promise<unknown[]> =>
    entryIdsOf((await box.run(["files", ...argv, "--json"])).json)
  expect(await found("src/retry.ts")).toEqual(["edit1", "read1"])
  expect(await found("./src/retry.ts")).toEqual(["edit1", "read1"])
  expect(await found(`${box.project}/src/retry.ts`)).toEqual(["edit1", "read1"])
  expect(await found("retry.ts", "--changed")).toEqual(["edit1"])
  expect(await found("retry.ts", "--changed", "--all")).toEqual(["edit1", "edit2"])
  expect(await found("try.ts")).toEqual([])
  expect(await found("retry.ts", "--until", "2020")).toEqual([])
})

test("prints a table, or says that there is nothing", async () => {
  const box = sandbox()
  stored(box)
  const lines = (await box.print("files", "retry.ts", "--all")).split("\n")
  expect(lines[0]).toMatch(/^SESSION +ENTRY +AGE +USE +PATH +FOLDER +NAME OR FIRST MESSAGE$/)
  expect(lines.slice(1).sort()).toEqual([
    expect.stringMatching(/^one +(?:edit1|read1) +\S+ +changed, read +.*src\/retry\.ts +~\/project/),
    expect.stringMatching(/^two +edit2 +\S+ +changed +retry\.ts +\/elsewhere/),
  ])
  const { code, stderr } = await box.run(["files", "nothing.ts"])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `No session of ${box.project} read or changed nothing.ts by a tool for files; --all searches every folder.\n${CANNOT_TELL}`,
  })
  expect((await box.run(["files", "nothing.ts", "--all"])).stderr).toBe(
    `No session read or changed nothing.ts by a tool for files.\n${CANNOT_TELL}`,
  )
})

test("says how many more sessions there are than it prints", async () => {
  const box = sandbox()
  stored(box)
  const one = await box.run(["files", "retry.ts", "--all", "--limit", "1"])
  expect(one.stdout.trim().split("\n")).toHaveLength(2)
  expect(one.stderr).toBe("1 more session with this file; --limit shows more.\n")
  const { json } = await box.run(["files", "retry.ts", "--all", "--limit", "1", "--json"])
  expect(json).toEqual([expect.objectContaining({ uses: expect.anything() }), { v: 1, more: { sessions: 1 } }])
  const all = await box.run(["files", "retry.ts", "--all", "--limit", "2"])
  expect(all.stderr).toBe("")
})

test("says of which calls that name the file nobody can tell, beside what is known", async () => {
  const box = sandbox()
  stored(box)
  const call = (id: string, name: string, args: object) =>
    messageEntry(id, null, assistantMessage("", { content: [{ type: "toolCall", id, name, arguments: args }] }))
  box.store(
    [
      call("x", "bash", { command: "sed -i s/a/b/ src/retry.ts" }),
      call("y", "mcp__fs__put", { to: "retry.ts" }),
      call("z", "bash", {
        command: "apply_patch <<'E'\n*** Begin Patch\n*** Delete File: src/retry.ts\n*** End Patch\nE",
      }),
    ],
    {
      id: "three",
    },
  )
  const { json, stderr } = await box.run(["files", "src/retry.ts", "--json"])
  expect({ json: json.slice(2), stderr }).toEqual({
    json: [{ v: 1, cannotTell: { calls: 2, isMore: false, tools: expect.arrayContaining(["bash", "mcp__fs__put"]) } }],
    stderr: "",
  })
  expect((await box.run(["files", "src/retry.ts"])).stderr).toMatch(
    /^Cannot tell what 2 calls of (?:bash, mcp__fs__put|mcp__fs__put, bash) did to retry\.ts: `treelog search 'retry\.ts' --role toolCall`\.\n$/,
  )
})

test("finds a file beside the folder by the path that the agent used, once", async () => {
  const box = sandbox()
  const above = box.project.replace(/[/\\][^/\\]+$/, "")
  box.store([callEntry("read1", "read", "../common/x.ts"), callEntry("edit1", "edit", `${above}/common/x.ts`)], {
    id: "one",
  })
  for (const path of ["../common/x.ts", `${above}/common/x.ts`]) {
    const { json } = await box.run(["files", path, "--json"])
    expect(entryIdsOf(json)).toEqual(["edit1", "read1"])
  }
})

test("finds a file whose name macOS wrote in another way", async () => {
  const box = sandbox()
  box.store([callEntry("read1", "read", "docs/Café.md".normalize("NFD"))], { id: "one" })
  for (const form of ["NFC", "NFD"])
    expect((await box.run(["files", "Café.md".normalize(form), "--json"])).json).toHaveLength(1)
})

test.each([
  ["retry.ts", ["retry.ts"]],
  ["src/retry.ts", ["src/retry.ts"]],
  ["./retry.ts", ["src/retry.ts"]],
  ["../README.md", ["README.md"]],
  ["../../other/x.ts", ["/home/ada/other/x.ts", "../other/x.ts"]],
  ["/home/ada/shop/src/x.ts", ["src/x.ts"]],
  ["/home/ada/shop-2/x.ts", ["/home/ada/shop-2/x.ts", "../shop-2/x.ts"]],
  ["..", ["/home/ada/shop"]],
])("%s is looked for as %j", (path, ends) => {
  const context = { io: { cwd: "/home/ada/shop/src", env: {} }, options: { cwd: "/home/ada/shop" } }
  expect(endsOfPath(context as never, path)).toEqual(ends)
})
