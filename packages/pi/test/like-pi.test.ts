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
import { afterAll, describe, expect, it } from "vitest"
import { SessionManager } from "../src/index.js"

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
const user = (content: string) => ({ role: "user" as const, content, timestamp: 1 })
const assistant = (text: string) =>
  ({
    role: "assistant",
    content: [{ type: "text", text }],
    api: "faux",
    provider: "p",
    model: "m",
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } },
    stopReason: "stop",
    timestamp: 2,
  }) as unknown as Parameters<Pi["appendMessage"]>[0]

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

/** Ids by their order, without times, which differ from run to run. */
function comparable(text: string): string {
  const ids = new Map<string, string>()
  const known = (id: string) => {
    if (!ids.has(id)) ids.set(id, `id-${ids.size}`)
    return ids.get(id) as string
  }
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}/g, known)
    .replace(
      /"((?:id|parentId|targetId|firstKeptEntryId|fromId)":")([0-9a-f]{8})"/g,
      (_, field, id) => `"${field}${known(id)}"`,
    )
    .replace(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d{3}Z/g, "TIME")
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
      manager.appendMessage(user("Again?"))
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

describe("where it differs from pi", () => {
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
