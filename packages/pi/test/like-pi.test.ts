import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { SessionManager as Pi } from "@earendil-works/pi-coding-agent"
import { SessionManager } from "@treelog/pi"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { assistant, comparable, user } from "./messages.js"

// The same calls on pi's own SessionManager and on ours.

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function tempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "treelog-pi-"))
  folders.push(folder)
  return folder
}

const CWD = "/project"

/** Appends of every kind, a branch, labels, a name and a compaction. */
function converse(manager: Pi): string[] {
  manager.appendThinkingLevelChange("high")
  manager.appendModelChange("p", "m")
  const first = manager.appendMessage(user("Which way?"))
  const answer = manager.appendMessage(assistant("Left."))
  manager.appendCustomEntry("state", { step: 1 })
  manager.appendCustomEntry("none")
  manager.appendCustomMessageEntry("note", "shown", true, { by: "x" })
  manager.appendLabelChange(first, "start")
  manager.branch(first)
  const other = manager.appendMessage(assistant("Right."))
  manager.appendSessionInfo("  A name ")
  manager.appendLabelChange(answer, "left")
  manager.appendLabelChange(answer, undefined)
  manager.appendCompaction("So far so good.", other, 100, { readFiles: [] }, true)
  return [first, answer, other, manager.appendMessage(user("And now?"))]
}

const fileOf = (manager: Pi): string => readFileSync(manager.getSessionFile() ?? "", "utf8")
const comparableFile = (manager: Pi, dir: string): string => comparable(fileOf(manager).replaceAll(dir, "DIR"))

function both() {
  const [ofPi, ours] = [tempDir(), tempDir()]
  return [
    { dir: ofPi, Manager: Pi, manager: Pi.create(CWD, ofPi) },
    { dir: ours, Manager: SessionManager as typeof Pi, manager: SessionManager.create(CWD, ours) as Pi },
  ] as const
}

describe("SessionManager", () => {
  it("writes the bytes that pi writes, but for ids and times", () => {
    const [pi, ours] = both()
    for (const { manager } of [pi, ours]) converse(manager)
    expect(comparableFile(ours.manager, ours.dir)).toBe(comparableFile(pi.manager, pi.dir))
  })

  it("makes the file with the first answer, as pi does", () => {
    for (const { manager } of both()) {
      manager.appendMessage(user("Which way?"))
      expect(existsSync(manager.getSessionFile() ?? "")).toBe(false)
      manager.appendMessage(assistant("Left."))
      expect(fileOf(manager).split("\n")).toHaveLength(4)
    }
  })

  it("gives the same entries, contexts, labels and trees as pi, of what each of them wrote", () => {
    for (const { manager, dir } of both()) {
      const [first = "", answer = "", other = ""] = converse(manager)
      const path = manager.getSessionFile() ?? ""
      const [pi, ours] = [Pi.open(path), SessionManager.open(path)]
      expect(ours.getEntries()).toEqual(pi.getEntries())
      expect(ours.getHeader()).toEqual(pi.getHeader())
      expect(ours.getSessionDir()).toBe(dir)
      for (const id of [first, answer, other, "unknown"]) {
        expect(ours.getBranch(id)).toEqual(pi.getBranch(id))
        expect(ours.getEntry(id)).toEqual(pi.getEntry(id))
        expect(ours.getLabel(id)).toBe(pi.getLabel(id))
        expect(ours.getChildren(id)).toEqual(pi.getChildren(id))
      }
      expect(ours.buildSessionContext()).toEqual(pi.buildSessionContext())
      expect(JSON.parse(JSON.stringify(ours.getTree()))).toEqual(JSON.parse(JSON.stringify(pi.getTree())))
      expect([ours.getLeafId(), ours.getSessionName(), ours.getCwd(), ours.getSessionId()]).toEqual([
        pi.getLeafId(),
        pi.getSessionName(),
        pi.getCwd(),
        pi.getSessionId(),
      ])
      for (const each of [pi, ours]) each.branch(answer)
      expect(ours.buildSessionContext()).toEqual(pi.buildSessionContext())
      for (const each of [pi, ours]) each.resetLeaf()
      expect(ours.buildSessionContext()).toEqual(pi.buildSessionContext())
    }
  })

  it("fails as pi does for unknown entries, and adds nothing", () => {
    for (const { manager } of both()) {
      const [first = ""] = converse(manager)
      const before = fileOf(manager)
      for (const attempt of [
        () => manager.branch("none"),
        () => manager.appendLabelChange("none", "x"),
        () => manager.branchWithSummary("none", "x"),
        () => manager.createBranchedSession("none"),
      ])
        expect(attempt).toThrow(/^Entry none not found$/)
      expect(fileOf(manager)).toBe(before)
      manager.branchWithSummary(first, "It was left.")
      expect(manager.getLeafEntry()).toMatchObject({ type: "branch_summary", parentId: first, summary: "It was left." })
    }
  })

  it("makes a session of a branch, and goes on there", () => {
    const [pi, ours] = both()
    for (const { manager, dir } of [pi, ours]) {
      const [, , other = ""] = converse(manager)
      const source = manager.getSessionFile()
      const file = manager.createBranchedSession(other)
      expect(file).toBe(manager.getSessionFile())
      expect(manager.getHeader()).toMatchObject({ parentSession: source, cwd: CWD })
      manager.appendMessage(user(`in ${dir.length} characters`))
    }
    expect(comparableFile(ours.manager, ours.dir)).toBe(comparableFile(pi.manager, pi.dir))
  })

  it("forks a whole session into another project", () => {
    const [pi, ours] = both()
    const forks = [pi, ours].map(({ manager, dir, Manager }) => {
      converse(manager)
      const fork = Manager.forkFrom(manager.getSessionFile() ?? "", "/elsewhere", dir)
      expect(() => Manager.forkFrom(join(dir, "none.jsonl"), "/elsewhere", dir)).toThrow(
        `Cannot fork: source session file is empty or invalid: ${join(dir, "none.jsonl")}`,
      )
      return comparableFile(fork, dir)
    })
    expect(forks[1]).toBe(forks[0])
  })

  it("starts a new session in its place, continues the last one, and lists both as pi does", async () => {
    const [pi, ours] = both()
    const lists = []
    for (const { manager, dir, Manager } of [pi, ours]) {
      converse(manager)
      const first = manager.getSessionFile() ?? ""
      manager.newSession({ parentSession: first })
      manager.appendMessage({ ...user("Again?"), timestamp: 3 })
      manager.appendMessage(assistant("Yes."))
      const second = manager.getSessionFile() ?? ""
      expect(second).not.toBe(first)
      utimesSync(first, 1, 1)
      expect(Manager.continueRecent(CWD, dir).getSessionFile()).toBe(second)
      expect(Manager.continueRecent(CWD, tempDir()).getEntries()).toEqual([])
      const seen: number[] = []
      const list = await Manager.list(CWD, dir, (loaded) => seen.push(loaded))
      expect(seen).toEqual([1, 2])
      lists.push(JSON.stringify(list.map((info) => ({ ...info }))).replaceAll(dir, "DIR"))
    }
    expect(comparable(lists[1] ?? "")).toBe(comparable(lists[0] ?? ""))
  })

  it("continues a session of a folder with other things, named relatively, also after the process changed its folder", () => {
    const folder = process.cwd()
    try {
      for (const { manager, dir, Manager } of both()) {
        converse(manager)
        for (const name of ["loop.jsonl", "nothing.jsonl"])
          symlinkSync(name.replace("nothing", "none"), join(dir, name))
        mkdirSync(join(dir, "folder.jsonl"))
        process.chdir(dir)
        const recent = Manager.continueRecent(CWD, ".")
        process.chdir(folder)
        const id = recent.appendMessage(user("Go on."))
        expect(recent.getSessionFile()).toBe(manager.getSessionFile())
        expect(fileOf(manager)).toContain(id)
      }
    } finally {
      process.chdir(folder)
    }
  })

  it("continues a session whose name is of bytes, as it lists it", async () => {
    const [, { manager, dir }] = both()
    converse(manager)
    const path = manager.getSessionFile() ?? ""
    renameSync(
      path,
      Buffer.concat([Buffer.from(path.replace(".jsonl", "-")), Buffer.from([0xff]), Buffer.from(".jsonl")]),
    )
    const [listed] = await SessionManager.list(CWD, dir)
    const recent = SessionManager.continueRecent(CWD, dir)
    expect(recent.getSessionFile()).toBe(listed?.path)
    expect(recent.getEntries()).toEqual(manager.getEntries())
  })

  it("searches the texts of a list in which one session was removed and another has a name of bytes", async () => {
    const [, { manager, dir }] = both()
    converse(manager)
    const removed = join(dir, "removed.jsonl")
    writeFileSync(removed, fileOf(manager))
    writeFileSync(
      Buffer.concat([Buffer.from(join(dir, "bytes-")), Buffer.from([0xff]), Buffer.from(".jsonl")]),
      fileOf(manager),
    )
    const list = await SessionManager.list(CWD, dir)
    rmSync(removed)
    const texts = list.map(({ path, allMessagesText }) => [path === removed, allMessagesText])
    expect(texts).toHaveLength(3)
    const text = "Which way? Left. Right. And now?"
    expect(texts.sort()).toEqual([
      [false, text],
      [false, text],
      [true, ""],
    ])
  })

  it("keeps no lock when close resolves", async () => {
    const [, { manager, dir }] = both()
    converse(manager)
    await (manager as SessionManager).close()
    expect(readdirSync(dir)).toEqual([basename(manager.getSessionFile() ?? "")])
  })

  it("stores a session again whose file was removed, when asked to", async () => {
    const [, { manager }] = both()
    converse(manager)
    const path = manager.getSessionFile() ?? ""
    rmSync(path)
    expect(() => manager.appendMessage(user("And now?"))).toThrow("retry({ recreate: true })")
    await (manager as SessionManager).retry({ recreate: true })
    manager.appendMessage(assistant("On."))
    expect(SessionManager.open(path).getEntries()).toEqual(manager.getEntries())
  })

  it("has sessions in memory, with branches and new ones", () => {
    for (const Manager of [Pi, SessionManager as typeof Pi]) {
      const manager = Manager.inMemory(CWD)
      const [first = ""] = converse(manager)
      expect([manager.isPersisted(), manager.getSessionFile(), manager.getSessionDir()]).toEqual([false, undefined, ""])
      expect(manager.createBranchedSession(first)).toBeUndefined()
      expect(manager.getEntries().map(({ type }) => type)).toEqual([
        "thinking_level_change",
        "model_change",
        "message",
        "label",
      ])
      expect(manager.newSession()).toBeUndefined()
      expect(manager.getEntries()).toEqual([])
    }
  })

  it("takes a file into memory, and goes on there without writing", () => {
    const [pi] = both()
    converse(pi.manager)
    const file = pi.manager.getSessionFile() ?? ""
    const missing = join(pi.dir, "none.jsonl")
    const empty = join(pi.dir, "empty.jsonl")
    writeFileSync(empty, "")
    const before = readFileSync(file)
    const seen = [Pi, SessionManager as typeof Pi].map((Manager) => {
      const manager = Manager.inMemory(CWD)
      const place = () => [manager.isPersisted(), manager.getSessionFile(), manager.getCwd(), manager.getSessionDir()]
      manager.setSessionFile(file)
      const taken = [place(), manager.getHeader(), manager.getEntries(), manager.getLeafId(), manager.getSessionName()]
      const added = manager.appendMessage(user("only in memory"))
      const branched = [manager.getBranch().at(-1)?.id === added, manager.createBranchedSession(added), place()]
      const again = [manager.getHeader()?.parentSession, manager.newSession(), place(), manager.getEntries()]
      const others = [missing, empty].map((path) => {
        manager.setSessionFile(path)
        manager.appendMessage(assistant("only in memory"))
        return [place(), manager.getHeader()?.cwd, manager.getEntries().length]
      })
      return [taken, branched, again, others]
    })
    expect(seen[1]).toEqual(seen[0])
    expect(readFileSync(file)).toEqual(before)
    expect([existsSync(missing), readFileSync(empty, "utf8")]).toEqual([false, ""])
  })

  it("opens a path that is not there, and an empty file", () => {
    for (const { Manager, dir } of both()) {
      const missing = Manager.open(join(dir, "new.jsonl"), undefined, CWD)
      missing.appendMessage(user("Which way?"))
      missing.appendMessage(assistant("Left."))
      expect(readFileSync(join(dir, "new.jsonl"), "utf8").split("\n")).toHaveLength(4)
      const empty = join(dir, "empty.jsonl")
      writeFileSync(empty, "")
      expect(Manager.open(empty, undefined, CWD).getEntries()).toEqual([])
      expect(JSON.parse(readFileSync(empty, "utf8"))).toMatchObject({ type: "session", version: 3, cwd: CWD })
    }
  })
})

describe("its default folder", () => {
  const agentDir = process.env.PI_CODING_AGENT_DIR
  const folder = tempDir()
  beforeAll(() => {
    process.env.PI_CODING_AGENT_DIR = folder
  })
  afterAll(() => {
    if (agentDir === undefined) delete process.env.PI_CODING_AGENT_DIR
    else process.env.PI_CODING_AGENT_DIR = agentDir
  })

  it("is listed as a whole without a folder, and continued as a whole, as in pi", async () => {
    const [, { manager }] = both()
    converse(manager)
    const moved = join(Pi.create(CWD).getSessionDir(), basename(manager.getSessionFile() ?? ""))
    // The bucket of the folder, but not its header.
    writeFileSync(moved, fileOf(manager).replace('"cwd":"/project"', '"cwd":"/renamed"'))
    for (const Manager of [Pi, SessionManager as typeof Pi]) {
      expect(Manager.continueRecent(CWD).getSessionFile()).toBe(moved)
      expect((await Manager.list(CWD)).map(({ path }) => path)).toEqual([moved])
    }
    expect((await SessionManager.listAll("" as never)).map(({ path }) => path)).toEqual([moved])
    const own = SessionManager.continueRecent("/project", tempDir())
    expect(own.getEntries()).toEqual([])
  })
})

describe("where it differs from pi", () => {
  it("a manager in memory keeps its session when a file is none", () => {
    const manager = SessionManager.inMemory(CWD)
    const id = manager.appendMessage(user("Which way?"))
    const dir = tempDir()
    const file = join(dir, "notes.jsonl")
    writeFileSync(file, "these are notes\n")
    for (const path of [file, dir])
      expect(() => manager.setSessionFile(path)).toThrow(`Session file is not a valid pi session: ${path}`)
    expect([manager.getLeafId(), manager.getSessionFile()]).toEqual([id, undefined])
  })

  it("a file without a folder is that of no project in a folder that was chosen", async () => {
    const [, { manager, dir }] = both()
    converse(manager)
    const file = manager.getSessionFile() ?? ""
    writeFileSync(file, fileOf(manager).replace('"cwd":"/project"', '"cwd":""'))
    expect(await SessionManager.list(process.cwd(), dir)).toEqual([])
    expect(SessionManager.continueRecent(process.cwd(), dir).getSessionFile()).not.toBe(file)
  })

  it("a file that is no session is an error, and stays as it is", () => {
    const file = join(tempDir(), "notes.jsonl")
    writeFileSync(file, "these are notes\n")
    expect(() => SessionManager.open(file)).toThrow(`Session file is not a valid pi session: ${file}`)
    expect(readFileSync(file, "utf8")).toBe("these are notes\n")
  })

  it("a torn last line takes no entry with it, and two managers of one file see each other's entries", () => {
    const [, { manager }] = both()
    converse(manager)
    const file = manager.getSessionFile() ?? ""
    appendFileSync(file, '{"type":"message","id":"to')
    const other = SessionManager.open(file)
    const id = other.appendMessage(user("after the tear"))
    manager.appendMessage(user("from the first"))
    expect(manager.getEntry(id)).toMatchObject({ message: { content: "after the tear" } })
    expect(Pi.open(file).getEntry(id)).toMatchObject({ message: { content: "after the tear" } })
  })

  it("an entry behind labels keeps its ancestors in a session of its branch", () => {
    const [, { manager }] = both()
    const [, , , last = ""] = converse(manager)
    manager.createBranchedSession(last)
    expect(manager.getBranch(last).map(({ type }) => type)).toEqual([
      "thinking_level_change",
      "model_change",
      "message",
      "message",
      "session_info",
      "compaction",
      "message",
    ])
  })

  it("a session of version 1 is brought to the current one with a backup", () => {
    const file = join(tempDir(), "old.jsonl")
    const header = { type: "session", id: "old", timestamp: "2025-01-01T00:00:00.000Z", cwd: CWD }
    const text = `${JSON.stringify(header)}\n${JSON.stringify({ type: "message", timestamp: "x", message: user("old") })}\n`
    writeFileSync(file, text)
    expect(SessionManager.open(file).getEntries()).toMatchObject([{ type: "message", parentId: null }])
    expect(readFileSync(`${file}.v1.bak`, "utf8")).toBe(text)
    expect(Pi.open(file).getEntries()).toHaveLength(1)
  })
})
