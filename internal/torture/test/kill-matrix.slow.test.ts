import { spawnSync } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { nodeFs as blobFs, FileBlobStore, removeOrphans, sweep } from "@treelog/blob-store"
import { isTreelogError, SessionManager } from "@treelog/session-core"
import {
  importSession,
  moveSession,
  relocateSession,
  repairSession,
  slimSession,
  verifySession,
} from "@treelog/session-core/maintenance"
import { artifactsFolder, FileSessionStorage, nodeFs } from "@treelog/storage-fs"
import { type FaultRun, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { expect, test } from "vitest"

// A command is killed before each call that changes the disk. Then the next process does the same once more, an hour passes, and
// what is orphaned is removed. What is left then is what a command that nobody killed would leave, and nothing is lost.

const HOUR = 60 * 60 * 1000
const NOW = Date.parse("2026-03-07T15:30:00.250Z")
const CWD = "/home/user/project"
const PICTURE = Buffer.alloc(4_000, 7).toString("base64")
const SPOKEN = "what must not be lost"

/** A store as one process sees it. */
interface Store {
  readonly folder: string
  readonly storage: FileSessionStorage
  readonly manager: SessionManager
  readonly blobFs: typeof blobFs
}

/** What a command works on. */
interface Given {
  /** A session with a picture, artifacts and a backup. */
  readonly key: string
  /** Another one, in the trash. */
  readonly trashed: string
  /** A session outside of the store. */
  readonly elsewhere: string
}

type Command = (store: Store, given: Given) => Promise<unknown>

const COMMANDS: Readonly<Record<string, Command>> = {
  new: async ({ manager }) => (await manager.create(CWD, { persist: "create" })).close(),
  append: async ({ manager }, { key }) => {
    const session = await manager.open(key)
    session.appendMessage({
      role: "user",
      content: [{ type: "image", data: PICTURE, mimeType: "image/png" }],
      timestamp: 0,
    })
    await session.close()
  },
  compact: async ({ manager }, { key }) => {
    const session = await manager.open(key)
    const [first] = session.getEntries()
    session.appendCompaction("All was well.", first?.id ?? "", 1_000)
    await session.close()
  },
  fork: async ({ manager }, { key }) => (await manager.forkFrom(key, "/elsewhere")).close(),
  branch: async ({ manager }, { key }) => {
    const session = await manager.open(key, { access: "read" })
    const made = await session.createBranchedSession(session.getLeafId() ?? "")
    await made.close()
    await session.close()
  },
  import: ({ manager }, { elsewhere }) => importSession(manager, elsewhere),
  repair: ({ manager }, { key }) => repairSession(manager, key),
  slim: ({ manager }, { key }) => slimSession(manager, key),
  move: ({ manager }, { key }) => moveSession(manager, key, "/elsewhere"),
  relocate: ({ manager, storage }, { key }) =>
    relocateSession(manager, key, "/elsewhere", { to: storage.keyMoved(key, "/elsewhere") }),
  "delete for good": ({ manager }, { key }) => manager.delete(key),
  delete: ({ storage }, { key }) => storage.trash.put(key, { now: NOW }),
  prune: async ({ storage }) => {
    const keys: string[] = []
    for await (const { key } of storage.list()) keys.push(key)
    for (const key of keys) await storage.trash.put(key, { now: NOW })
  },
  restore: ({ storage }, { trashed }) => storage.trash.restore(trashed),
  "trash empty": ({ storage }, { trashed }) => storage.trash.remove(trashed),
  "blobs gc": ({ folder, blobFs: fs }) =>
    sweep({
      blobs: join(folder, "blobs"),
      roots: [join(folder, "sessions")],
      apply: true,
      graceMs: 0,
      clock: LATER,
      fs,
    }),
}

/** The blobs were stored before this, even if in this very millisecond. */
const LATER = { now: () => Date.now() + 1 }

test.each(Object.keys(COMMANDS))(
  "%s, killed anywhere, leaves nothing but what it should, and loses nothing",
  async (name) => {
    const command = COMMANDS[name] as Command
    const kills = await forEachFault(
      name === "blobs gc" ? ["crash"] : ["crash", "torn-crash"],
      async (run) => {
        const folder = await mkdtemp(join(tmpdir(), "treelog-kill-matrix-"))
        try {
          await killedOnce(folder, name, command, run)
        } finally {
          await rm(folder, { recursive: true, force: true })
        }
      },
      { mutating: true },
    )
    expect(kills).toBeGreaterThan(4)
  },
)

async function killedOnce(folder: string, name: string, command: Command, { inject }: FaultRun): Promise<void> {
  const given = await written(storeIn(folder))
  const isOfBlobs = name === "blobs gc"
  const faulty = isOfBlobs ? inject(blobFs) : inject(nodeFs)
  const doomed = storeIn(
    folder,
    isOfBlobs ? {} : { fs: faulty.fs as typeof nodeFs },
    isOfBlobs ? (faulty.fs as typeof blobFs) : blobFs,
  )
  faulty.arm()
  await command(doomed, given).catch((error: unknown) => {
    if (!faulty.isCrashed) throw error
  })
  faulty.disarm()
  await endProcesses(folder)
  const next = storeIn(folder)
  await command(next, given).catch((error: unknown) => {
    // The first one had come to its end.
    if (!isTreelogError(error, "SessionNotFoundError")) throw error
  })
  await expectNoLocks(folder, name)
  await letAnHourPass(folder)
  for await (const { error } of storeIn(folder).storage.removeOrphans()) expect(error).toBeUndefined()
  await removeOrphans(join(folder, "blobs"))
  await expectTidy(folder, name)
  await expectNothingLost(storeIn(folder), name)
}

function storeIn(folder: string, options: { fs?: typeof nodeFs } = {}, fs: typeof blobFs = blobFs): Store {
  const storage = new FileSessionStorage({
    agentDir: folder,
    cacheDir: join(folder, "cache"),
    terminalId: "test",
    ...options,
  })
  const blobs = new FileBlobStore(join(folder, "blobs"), { fs })
  return { folder, storage, manager: new SessionManager({ anyFile: true, storage, blobs }), blobFs: fs }
}

async function written({ folder, storage, manager }: Store): Promise<Given> {
  const make = async (id: string): Promise<string> => {
    const session = await manager.create(CWD, { id })
    session.appendMessage({ role: "user", content: `${SPOKEN} in ${id}`, timestamp: 0 })
    session.appendMessage({
      role: "user",
      content: [{ type: "image", data: PICTURE, mimeType: "image/png" }],
      timestamp: 0,
    })
    await session.close()
    const key = session.getSessionFile() ?? ""
    await mkdir(join(artifactsFolder(key) ?? "", "deep"), { recursive: true })
    await writeFile(join(artifactsFolder(key) ?? "", "deep", "notes.txt"), `notes of ${id}`)
    await writeFile(`${key}.v1.bak`, `backup of ${id}`)
    return key
  }
  const [key, trashed] = [await make("one"), await storage.trash.put(await make("two"), { now: NOW - HOUR })]
  const header = { type: "session", version: 3, id: "elsewhere", timestamp: "2026-03-07T14:00:00.000Z", cwd: CWD }
  await mkdir(join(folder, "outside"))
  const elsewhere = join(folder, "outside", "elsewhere.jsonl")
  await writeFile(elsewhere, `${JSON.stringify(header)}\n`)
  await new FileBlobStore(join(folder, "blobs")).put(Buffer.from("nobody names this"))
  return { key, trashed, elsewhere }
}

async function pathsIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).map((name) => join(folder, name)).sort()
}

const deadPid = spawnSync("true").pid

/** Every lock is that of a process that is no more. */
async function endProcesses(folder: string): Promise<void> {
  for (const path of await pathsIn(folder)) {
    if (!/\.lock(?:\.|$)/.test(basename(path))) continue
    const text = await readFile(path, "utf8")
    if (text.endsWith("\n"))
      await writeFile(path, `${JSON.stringify({ ...(JSON.parse(text) as object), pid: deadPid })}\n`)
  }
}

/** What names its process is gone at once, but for a killed command whose session the next one had no business with. */
async function expectNoLocks(folder: string, name: string): Promise<void> {
  const locks = (await pathsIn(folder)).filter((path) => /\.lock$/.test(path))
  if (!/^(?:move|relocate|prune|blobs gc)$/.test(name)) expect(locks).toEqual([])
}

async function letAnHourPass(folder: string): Promise<void> {
  const then = new Date(Date.now() - HOUR - 60_000)
  for (const path of await pathsIn(folder)) await utimes(path, then, then)
}

async function expectTidy(folder: string, name: string): Promise<void> {
  const paths = await pathsIn(folder)
  expect(paths.filter((path) => /\.lock|\.tmp$/.test(basename(path)))).toEqual([])
  const sessions = paths.filter((path) => path.endsWith(".jsonl"))
  for (const path of sessions)
    expect({ path, isEmpty: (await readFile(path, "utf8")) === "" }).toEqual({ path, isEmpty: false })
  const owned = paths.filter((path) => path.startsWith(join(folder, "sessions")) && /\/\d{4}-[^/]*_/.test(path))
  // A move leaves backups where they are, and so does a removal without the trash.
  const isKept = (path: string) => /^(?:move|relocate|delete for good)$/.test(name) && path.endsWith(".bak")
  expect(owned.filter((path) => !isKept(path) && !hasOwner(path, sessions))).toEqual([])
}

/** What belongs to a session is beside it; or in its old place, when it was killed on its way to the trash. There nothing is without one. */
function hasOwner(path: string, sessions: readonly string[]): boolean {
  const [, place = path] = /^(.*\.trash\/[^/]*)/.exec(path) ?? []
  if (place !== path || path.includes("/.trash/")) return sessions.some((session) => dirname(session) === place)
  const [, bucket = "", session = ""] = /^(.*\/sessions\/[^/]*)\/([^/]*_[^/.]*)/.exec(path) ?? []
  const isIt = (one: string) => basename(one) === `${session}.jsonl`
  return sessions.some((one) => isIt(one) && (dirname(one) === bucket || one.startsWith(join(bucket, ".trash"))))
}

/** Both sessions are whole, once each or copied, with their artifacts, wherever they are by now. */
async function expectNothingLost({ folder, manager }: Store, name: string): Promise<void> {
  const gone = { "trash empty": "two", "delete for good": "one" }[name]
  for (const id of ["one", "two"].filter((one) => one !== gone)) {
    const texts = await Promise.all(
      (await pathsIn(folder)).filter((path) => /\.(?:jsonl|txt|bak)$/.test(path)).map((path) => readFile(path, "utf8")),
    )
    expect(texts.some((text) => text.includes(`${SPOKEN} in ${id}"`))).toBe(true)
    expect(texts).toContain(`notes of ${id}`)
    expect(texts).toContain(`backup of ${id}`)
  }
  for (const path of await pathsIn(folder)) {
    if (!path.endsWith(".jsonl") || path.includes("/outside/")) continue
    const { diagnostics } = await verifySession(manager, path)
    // An append that was never acknowledged may be there by its first half.
    const isTorn =
      /^(?:append|compact)$/.test(name) && diagnostics.length === 1 && diagnostics[0]?.kind === "invalid-json"
    expect({ path, diagnostics: isTorn ? [] : diagnostics }).toEqual({ path, diagnostics: [] })
  }
}
