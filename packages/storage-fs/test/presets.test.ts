import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { importSession, relocateSession } from "@treelog/session-core/maintenance"
import {
  agentDirOf,
  type Env,
  FileSessionStorage,
  type FileSessionStorageOptions,
  type Preset,
} from "@treelog/storage-fs"
import { sessionText, testHeader } from "@treelog-internal/test-kit"
import { beforeEach, describe, expect, it } from "vitest"
import { tempDir } from "./store.js"

const timestamp = "2026-03-07T14:00:00.000Z"

let root: string
let env: Env & { HOME: string; TMPDIR: string }
beforeEach(async () => {
  root = realpathSync(await tempDir())
  env = { HOME: join(root, "home"), TMPDIR: join(root, "tmp") }
  for (const folder of [join(env.HOME, "src", "a:b"), join(env.TMPDIR, "x"), join(root, "srv")])
    mkdirSync(folder, { recursive: true })
})

function bucketOf(cwd: string, options: FileSessionStorageOptions): string {
  return basename(dirname(new FileSessionStorage({ env, ...options }).keyFor({ cwd, id: "a", timestamp })))
}

function absolute(path: string): string {
  return `--${path.slice(1).replace(/[/:]/g, "-")}--`
}

describe.each<Preset>(["omp", "xcsh"])("a new session in the store of %s", (preset) => {
  it("goes where the program looks for it", () => {
    const { HOME: home, TMPDIR: tmp } = env
    const names = (...paths: string[]) => paths.map((path) => bucketOf(path, { preset }))
    expect(names(home, join(home, "src"), join(home, "src", "a:b"))).toEqual(["-", "-src", "-src-a-b"])
    expect(names(tmp, join(tmp, "x"))).toEqual(["-tmp", "-tmp-x"])
    expect(names(join(root, "srv"), `${home}-2`)).toEqual([absolute(join(root, "srv")), absolute(`${home}-2`)])
    expect(names("/")).toEqual(["----"])
  })

  it("goes by the path without links, of the folder, of the home folder and of that of temporary files", () => {
    const [home, tmp] = [join(root, "linked-home"), join(root, "linked-tmp")]
    symlinkSync(env.HOME, home)
    symlinkSync(env.TMPDIR, tmp)
    symlinkSync(join(env.HOME, "src"), join(root, "srv", "link"))
    expect(bucketOf(join(root, "srv", "link"), { preset })).toBe("-src")
    const linked = { preset, env: { HOME: home, TMPDIR: tmp } }
    for (const folder of [home, env.HOME]) expect(bucketOf(join(folder, "src"), linked)).toBe("-src")
    for (const folder of [tmp, env.TMPDIR]) expect(bucketOf(join(folder, "x"), linked)).toBe("-tmp-x")
    // Of what is not there, no link can be resolved.
    expect(bucketOf(join(env.HOME, "gone", "x"), { preset })).toBe("-gone-x")
  })

  it("has the home folder before that of temporary files, where one is in the other", () => {
    const inside = join(env.HOME, "tmp")
    mkdirSync(inside)
    expect(bucketOf(inside, { preset, env: { HOME: env.HOME, TMPDIR: inside } })).toBe("-tmp")
    expect(bucketOf(join(inside, "x"), { preset, env: { HOME: inside, TMPDIR: inside } })).toBe("-x")
    expect(bucketOf(join(root, "srv"), { preset, env: { HOME: "/", TMPDIR: env.TMPDIR } })).toBe(
      `-${join(root, "srv").slice(1).replaceAll("/", "-")}`,
    )
  })

  it("takes a name that begins with two dots for one outside, as the program does", () => {
    const folder = join(env.HOME, "..hidden")
    expect(bucketOf(folder, { preset })).toBe(absolute(folder))
  })

  it("has a name that file systems take, under which it is found again", async () => {
    const cwd = join(env.HOME, ...Array.from({ length: 100 }, () => "deep"))
    const storage = new FileSessionStorage({ env, preset, cacheDir: null })
    const manager = new SessionManager({ storage })
    const session = await manager.create(cwd, { persist: "create" })
    await session.close()
    expect(Buffer.byteLength(basename(dirname(session.getSessionFile() ?? "")))).toBeLessThanOrEqual(255)
    expect(await listed(manager, cwd)).toEqual([session.getSessionFile()])
  })

  it("goes there when it is made, forked, imported, moved or relocated, too, and is listed there", async () => {
    const storage = new FileSessionStorage({ env, preset, cacheDir: null, terminalId: "test" })
    const manager = new SessionManager({ storage })
    const [one, other] = [join(env.HOME, "src"), join(env.TMPDIR, "x")]
    const created = await manager.create(one, { persist: "create" })
    await created.close()
    const key = created.getSessionFile() ?? ""
    expect(key.startsWith(join(agentDirOf(preset, env), "sessions", "-src", "/"))).toBe(true)
    const forked = await manager.forkFrom(key, other)
    await forked.close()
    writeFileSync(join(root, "strange.jsonl"), sessionText(testHeader({ id: "strange", cwd: other })))
    const imported = await importSession(manager, join(root, "strange.jsonl"), {})
    const buckets = [forked.getSessionFile() ?? "", imported.to].map((path) => basename(dirname(path)))
    expect(buckets).toEqual(["-tmp-x", "-tmp-x"])
    expect((await listed(manager, other)).sort()).toEqual([forked.getSessionFile(), imported.to].sort())
    expect(await relocateSession(manager, key, env.HOME)).toBe(storage.keyMoved(key, env.HOME))
    expect(readdirSync(join(agentDirOf(preset, env), "sessions")).sort()).toEqual(["-", "-src", "-tmp-x"])
  })

  it("goes there as well when only the folder of the store is named", () => {
    expect(bucketOf(join(env.HOME, "src"), { agentDir: agentDirOf(preset, env) })).toBe("-src")
    expect(bucketOf(join(env.HOME, "src"), { agentDir: "/a/copy", preset })).toBe("-src")
  })
})

describe.each<Preset>(["treelog", "pi"])("a new session in the store of %s", (preset) => {
  it("goes to the bucket of the whole path, as it was given", () => {
    symlinkSync(join(env.HOME, "src"), join(root, "srv", "link"))
    for (const path of [env.HOME, join(env.HOME, "src"), env.TMPDIR, join(root, "srv", "link")])
      for (const options of [{ preset }, { agentDir: agentDirOf(preset, env) }, { agentDir: "/a/copy" }])
        expect(bucketOf(path, options)).toBe(absolute(path))
  })
})

async function listed(manager: SessionManager, cwd: string): Promise<string[]> {
  const paths: string[] = []
  for await (const { path, error } of manager.list(cwd)) {
    if (error) throw error
    paths.push(path)
  }
  return paths
}

it("lists session files beside pi's other files, of every folder, and nothing else that is there", async () => {
  const agentDir = join(env.HOME, ".pi/agent")
  mkdirSync(join(agentDir, "sessions/--srv--"), { recursive: true })
  const names = [
    "2025-12-26T10-00-00-000Z_flat.jsonl",
    "run-history.jsonl",
    "sessions/--srv--/2025-12-27T10-00-00-000Z_own.jsonl",
  ]
  for (const name of names)
    writeFileSync(join(agentDir, name), sessionText(testHeader({ id: name.slice(-10, -6), cwd: "/srv" }), []))
  const idsIn = async (storage: FileSessionStorage, cwd?: string) => {
    const ids: string[] = []
    for await (const { id } of storage.list({ cwd })) ids.push(String(id))
    for await (const found of storage.summaries?.scan({ cwd }) ?? [])
      for (const { id } of found) ids.push(`scanned ${id}`)
    return ids.sort()
  }
  const all = ["flat", "own", "scanned flat", "scanned own"]
  const cacheDir = join(root, "cache")
  const pi = new FileSessionStorage({ agentDir, preset: "pi", env, cacheDir })
  expect([await idsIn(pi), await idsIn(pi, "/srv")]).toEqual([all, all])
  expect(pi.isInside(join(agentDir, names[0] ?? ""))).toBe(true)
  expect(pi.isInside(join(agentDir, "run-history.jsonl"))).toBe(false)
  const treelog = new FileSessionStorage({ agentDir, preset: "treelog", env, cacheDir })
  expect(await idsIn(treelog)).toEqual(["own", "scanned own"])
})

it.each<[argument: string, options: unknown]>([
  ["options", "./agent"],
  ["preset", { preset: "omo" }],
])(
  "wrong %s are refused, in the place of which the user's own store of treelog would be written",
  (argument, options) => {
    expect(() => new FileSessionStorage(options as FileSessionStorageOptions)).toThrow(
      expect.objectContaining({ code: "InvalidArgumentError", data: expect.objectContaining({ argument }) }),
    )
  },
)
