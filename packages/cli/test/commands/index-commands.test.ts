import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { userEntry } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

function indexFiles(box: Sandbox): string[] {
  return readdirSync(box.cacheDir).filter((name) => name.endsWith(".db"))
}

test("status says where the index is, and which SQLite is used", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "needle")])
  const [before] = (await box.run(["index", "--json"])).json
  expect(before).toMatchObject({ store: box.agentDir, sessions: 0, sqlite: expect.stringMatching(/\d/) })
  expect(await box.print("index")).toContain("none yet")
  await box.run(["index", "--update"])
  const [after] = (await box.run(["index", "--json"])).json
  expect(after).toMatchObject({ path: before?.path, sessions: 1, entries: 1, texts: 1, bytes: expect.any(Number) })
  expect(String(after?.path).startsWith(box.cacheDir)).toBe(true)
})

test("update reads what is new, and drops what is gone", async () => {
  const box = sandbox()
  box.store([userEntry("one", null)], { id: "first" })
  const second = box.store([userEntry("two", null)], { id: "second" })
  expect((await box.run(["index", "--update", "--json"])).json[0]).toMatchObject({ sessions: 2, read: 2, removed: 0 })
  rmSync(second)
  expect((await box.run(["index", "--update", "--json"])).json[0]).toMatchObject({ sessions: 1, removed: 1 })
  expect((await box.run(["index", "--update"])).stderr).toMatch(/^Indexed 1 session; .*\.\n$/)
})

test.each(["--update", "--rebuild"])("6: %s of a store without sessions says where it looked", async (option) => {
  const box = sandbox()
  const { code, stderr } = await box.run(["index", option])
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: `0 sessions examined: looked in ${box.agentDir}; no other agent has a store on this machine.\n`,
  })
})

test("1: update names what cannot be read", async () => {
  const box = sandbox()
  const path = box.store([], { id: "bad" })
  writeFileSync(path, '{"type":"message","id":"a","parentId":null}\n')
  const { code, stdout, stderr } = await box.run(["index", "--update"])
  expect(code).toBe(1)
  expect(stdout).toContain(`${path} InvalidSessionError`)
  expect(stderr).toContain("1 cannot be read.")
})

test("rebuild builds the index from all sessions, also where it is damaged", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "needle")], { id: "first" })
  await box.run(["index", "--update"])
  const [name = ""] = indexFiles(box)
  writeFileSync(join(box.cacheDir, name), "no database at all, but long enough to be taken for one".repeat(100))
  expect((await box.run(["index", "--rebuild", "--json"])).json[0]).toMatchObject({ sessions: 1, read: 1 })
  expect(indexFiles(box)).toEqual([name])
  expect(await box.print("search", "needle")).toContain("needle")
})

test.skipIf(process.platform === "win32")("names a pipe in the place of the index, and waits for nobody", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "needle")], { id: "first" })
  await box.run(["index", "--update"])
  const path = join(box.cacheDir, indexFiles(box)[0] ?? "")
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
  execFileSync("mkfifo", [path])
  const { code, stderr } = await box.run(["search", "needle"])
  expect(code).toBe(1)
  expect(stderr).toContain(`${path} cannot be used: it is a pipe or a device.`)
  expect(stderr).toContain("`treelog index --rebuild` replaces it")
  expect((await box.run(["index", "--rebuild"])).code).toBe(0)
})

test("rebuild deletes no file that another process may have open", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "needle")], { id: "first" })
  await box.run(["index", "--update"])
  const path = join(box.cacheDir, indexFiles(box)[0] ?? "")
  const { ino } = statSync(path)
  expect((await box.run(["index", "--rebuild", "--json"])).json[0]).toMatchObject({ sessions: 1, read: 1 })
  expect(statSync(path).ino).toBe(ino)
})

test("rebuild replaces a folder in the place of the index", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "needle")], { id: "first" })
  await box.run(["index", "--update"])
  const path = join(box.cacheDir, indexFiles(box)[0] ?? "")
  rmSync(path)
  mkdirSync(join(path, "inner"), { recursive: true })
  expect((await box.run(["search", "needle"])).stderr).toContain("`treelog index --rebuild` replaces it")
  expect((await box.run(["index", "--rebuild"])).code).toBe(0)
  expect(await box.print("search", "needle")).toContain("needle")
})

test("a damaged index is built again by a search, with a warning", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "needle")], { id: "first" })
  await box.run(["index", "--update"])
  const [name = ""] = indexFiles(box)
  writeFileSync(join(box.cacheDir, name), "no database at all, but long enough to be taken for one".repeat(100))
  const { code, stdout, stderr } = await box.run(["search", "needle"])
  expect(code).toBe(0)
  expect(stdout).toContain("treelog show first --leaf one")
  expect(stderr).toContain("was damaged, and is built again")
})

test("rebuild of several stores has the sessions of all of them", async () => {
  const box = sandbox()
  const session = (folder: string, id: string): void => {
    const path = join(box.folder, folder, "sessions", "--x--", `2026-03-07T14-00-00-000Z_${id}.jsonl`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(
      path,
      `{"type":"session","version":3,"id":"${id}","timestamp":"2026-03-07T14:00:00.000Z","cwd":"/shop"}\n`,
    )
  }
  session(".pi/agent", "one")
  session(".omp/agent", "two")
  const env = { TREELOG_AGENT_DIR: "" }
  expect((await box.run(["index", "--rebuild"], { env })).code).toBe(0)
  const { json } = await box.run(["index", "--json"], { env })
  expect(json.map(({ sessions }) => sessions).sort()).toEqual([1, 1])
})

test("all stores are in one index, each once by whatever name", async () => {
  const box = sandbox()
  box.store([userEntry("one", null, "needle")], { id: "first" })
  const sessions = async (...options: string[]) => (await box.run(["index", "--json", ...options])).json[0]?.sessions
  await box.run(["index", "--update"])
  await box.run(["index", "--update", "--agent-dir", box.agentDir])
  expect(await sessions()).toBe(1)
  await box.run(["index", "--update", "--agent-dir", join(box.folder, "other")])
  expect(await sessions("--session-dir", join(box.agentDir, "sessions"))).toBe(0)
  expect(indexFiles(box)).toHaveLength(1)
})
