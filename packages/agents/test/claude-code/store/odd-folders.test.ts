import { link, mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { partOf } from "@treelog/session-core/adapter"
import { nodeFs } from "@treelog-internal/fs"
import { claudeFile } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { type ClaudeFolder, folderOfTest } from "./claude-folder.js"

const ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"

async function listed(storage: ClaudeFolder["storage"], cwd?: string) {
  const manager = new SessionManager({ storage })
  const infos = []
  for await (const info of cwd === undefined ? manager.listAll() : manager.list(cwd)) infos.push(info)
  return infos
}

describe("a folder of Claude Code", () => {
  it("has no sessions where it is missing", async () => {
    const { open, root } = await folderOfTest()
    expect(await listed(open({ dir: join(root, "nothing") }))).toEqual([])
  })

  it("is searched by the name that a working directory has there, and the file decides", async () => {
    const { storage, add } = await folderOfTest()
    await add(ID, "/home/ada/my shop", "one")
    expect(await listed(storage, "/home/ada/my shop")).toHaveLength(1)
    expect(await listed(storage, "/home/ada/my-shop")).toEqual([])
  })

  it("finds sessions of a long working directory, whose name was cut and has a hash", async () => {
    const { storage, dir } = await folderOfTest()
    const cwd = `/home/ada/${"deep/".repeat(60)}shop`
    const folder = join(dir, "projects", `${cwd.replace(/[^a-zA-Z0-9]/g, "-").slice(0, 200)}-1x2y3z`)
    await mkdir(folder)
    await writeFile(join(folder, `${ID}.jsonl`), claudeFile(ID, cwd, "one"))
    expect(await listed(storage, cwd)).toMatchObject([{ id: ID, cwd }])
  })

  it("lists what is broken with its error, and nothing of sub-agents", async () => {
    const { storage, dir, add } = await folderOfTest()
    const path = await add(ID, "/home/ada/shop", "one")
    const folder = join(path, "..")
    await writeFile(join(folder, "other.jsonl"), "{}\nno\n")
    await symlink(join(dir, "gone.jsonl"), join(folder, "dangling.jsonl"))
    await mkdir(join(folder, "folder.jsonl"))
    await writeFile(join(folder, "agent-a1b2.jsonl"), claudeFile(ID, "/home/ada/shop", "helper"))
    await mkdir(join(folder, ID, "subagents"), { recursive: true })
    await writeFile(join(folder, ID, "subagents", "agent-c3.jsonl"), claudeFile(ID, "/home/ada/shop", "helper"))
    const infos = await listed(storage)
    expect(infos.filter(({ error }) => !error)).toMatchObject([{ id: ID }])
    expect(infos.filter(({ error }) => error).map(({ path }) => path.split("/").at(-1))).toEqual(
      expect.arrayContaining(["dangling.jsonl", "other.jsonl"]),
    )
    expect(infos).toHaveLength(3)
    const names = []
    for await (const { name } of storage.artifacts(path)) names.push(name)
    expect(names).toEqual(["agent-a1b2.jsonl", "subagents/agent-c3.jsonl"])
  })

  it("lists a file without a byte as it is opened where sub-agents are left of it, and otherwise not", async () => {
    const { storage, dir, pathOf, add } = await folderOfTest()
    const cwd = "/home/ada/shop"
    await add(ID, cwd, "one")
    const [bare, left] = [ID.replace(/^./, "1"), ID.replace(/^./, "2")]
    for (const id of [bare, left]) await writeFile(pathOf(id, cwd), "")
    const agent = claudeFile(left, cwd, "Warmup").replaceAll('"isSidechain":false', '"isSidechain":true')
    await writeFile(join(dir, "projects", "-home-ada-shop", "agent-a1b2.jsonl"), agent)
    const infos = await listed(storage)
    expect(infos.filter(({ id }) => id !== ID)).toMatchObject([{ id: left, cwd, kind: "empty", firstMessage: "" }])
    expect(infos.filter(({ error }) => error)).toEqual([])
    const sessions = new SessionManager({ storage })
    expect((await sessions.readContext(pathOf(left, cwd))).messages).toEqual([])
    const session = await sessions.open(pathOf(left, cwd), { access: "read" })
    expect(session.getEntries().map((entry) => partOf(entry)?.name ?? "")).toContain("agent-a1b2.jsonl")
  })

  it("lists a session that was continued in another folder in that one, where its file is", async () => {
    const { storage, pathOf, add, say } = await folderOfTest()
    const path = await add(ID, "/home/ada/garden", "")
    await writeFile(path, claudeFile(ID, "/home/ada/shop", "one"))
    await say(path, ID, "/home/ada/garden", "two")
    await say(path, ID, "/home/ada/garden/beds", "three")
    expect(path).toBe(pathOf(ID, "/home/ada/garden"))
    expect(await listed(storage, "/home/ada/shop")).toEqual([])
    expect(await listed(storage, "/home/ada/garden")).toMatchObject([{ cwd: "/home/ada/garden", firstMessage: "one" }])
    const session = await new SessionManager({ storage }).open(path, { access: "read" })
    expect(session.getHeader()).toMatchObject({ cwd: "/home/ada/garden" })
    await session.close()
  })

  it("lists a session that was moved to another folder in that one, before anything was said there", async () => {
    const { storage, add } = await folderOfTest()
    const path = await add(ID, "/home/ada/garden", "")
    const moved = JSON.stringify({ type: "relocated", relocatedCwd: "/home/ada/garden", sessionId: ID })
    await writeFile(path, `${claudeFile(ID, "/home/ada/shop", "one")}${moved}\n`)
    expect(await listed(storage, "/home/ada/shop")).toEqual([])
    expect(await listed(storage, "/home/ada/garden")).toMatchObject([{ cwd: "/home/ada/garden", firstMessage: "one" }])
    const session = await new SessionManager({ storage }).open(path, { access: "read" })
    expect(session.getHeader()).toMatchObject({ cwd: "/home/ada/garden" })
    await session.close()
  })

  it("reads sessions by names with bytes that are not UTF-8, and through links", async () => {
    const { storage, add } = await folderOfTest()
    const path = await add(ID, "/home/ada/shop", "one")
    const folder = Buffer.from(join(path, ".."))
    await link(path, Buffer.concat([folder, Buffer.from("/caf\xe9.jsonl", "latin1")]))
    await symlink(path, join(path, "..", "linked.jsonl"))
    const infos = await listed(storage)
    expect(infos.map(({ error }) => error)).toEqual([undefined, undefined, undefined])
    const manager = new SessionManager({ storage })
    for (const { path: key } of infos) {
      const session = await manager.open(key, { access: "read" })
      expect(session.getEntries().length).toBeGreaterThan(1)
      await session.close()
    }
  })

  it("lists the other projects where a sub-agent of one cannot be read", async () => {
    const { open, add } = await folderOfTest()
    const path = await add(ID, "/home/ada/shop", "one")
    const other = await add(ID.replace("6", "7"), "/home/ada/garden", "one")
    await writeFile(join(path, "..", "agent-a1b2.jsonl"), claudeFile(ID, "/home/ada/shop", "helper"))
    const openSync: typeof nodeFs.openSync = (name, ...more) => {
      if (name.includes("agent-a1b2")) throw Object.assign(new Error("EACCES"), { code: "EACCES" })
      return nodeFs.openSync(name, ...more)
    }
    const infos = await listed(open({ fs: { ...nodeFs, openSync } }))
    expect(infos.map(({ path, error }) => [path, error?.code]).sort()).toEqual([
      [other, undefined],
      [join(path, ".."), "StorageError"],
    ])
  })
})
