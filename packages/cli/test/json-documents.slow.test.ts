import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import { SessionManager } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import {
  assistantMessage,
  claudeFile,
  messageEntry,
  sessionText,
  testHeader,
  userEntry,
} from "@treelog-internal/test-kit"
import type { ValidateFunction } from "ajv/dist/2020.js"
import { describe, expect, onTestFinished, test } from "vitest"
import { runnableCommands } from "./command-table.js"
import { hashOf, imageEntry, storeBlob } from "./images.js"
import { bucketScene } from "./postgres/bucket-scene.js"
import { documentsOf, schemaName, schemas } from "./published-schemas.js"
import { sampleEntries } from "./sample.js"
import { type Ran, type Sandbox, sandbox, type World } from "./sandbox.js"
import { writeDatabase } from "./write-database.js"

// What scripts may rely on: every document of every command is as `docs/schema` says, and says no more than that.

/** What `mcp` prints is a protocol of its own. */
const commands = runnableCommands().filter((name) => name !== "mcp")
const error = documentsOf("error")
const bucket = bucketScene()

function expectDocument(sorts: readonly ValidateFunction[], value: unknown): void {
  const errors = sorts.some((validate) => validate(value)) ? [] : sorts.map((validate) => validate.errors)
  expect({ value, errors }).toEqual({ value, errors: [] })
}

async function ran(name: string, { argv, given, world }: Scene): Promise<Ran> {
  const box = sandbox()
  if (given) await given(box)
  else box.store(sampleEntries())
  return box.run([...name.split(" "), "--json", ...argv], world)
}

/** How a command comes to print its documents. */
interface Scene {
  /** Behind the name of the command. */
  readonly argv: readonly string[]
  /** What there is; otherwise one session with every sort of entry. */
  readonly given?: (box: Sandbox) => unknown
  readonly world?: World
  /** 0, where nothing is said. */
  readonly code?: number
}

/** A command that only asks somebody at a terminal; what it prints is tried there. */
const NEEDS_TERMINAL = "needs a terminal"
/** A command for databases; what it prints is tried on one, in test/postgres. */
const NEEDS_DATABASE = "needs a database"

/** A session of Claude Code that is kept. */
const KEPT = "aaaaaaaa-0000-4000-8000-00000000000a"
/** Where the program is that `withCrontab` makes. */
const CRON = { PATH: "" }

/** So late that no blob is too young, and every session is old. */
const LATER: World = { now: () => Date.UTC(2100, 0) }
const EVEN_IF_KEPT = ["--include-named", "--include-labelled"]
const INTERRUPTED: World = { interrupted: AbortSignal.abort() }
const printed = new AbortController()
/** Ctrl-C once a state was printed. */
const INTERRUPTED_LIVE: World = {
  interrupted: printed.signal,
  onWrite: (text) => text.includes('"live"') && printed.abort(),
}

const sample = (box: Sandbox): string => box.store(sampleEntries())
const twoSamples = (box: Sandbox): void => {
  sample(box)
  const call = { type: "toolCall", id: "call", name: "read", arguments: { path: "form.tsx" } }
  box.store([messageEntry("reads", null, assistantMessage("", { content: [call] }))], { id: "second" })
}
const typed = (box: Sandbox): string => {
  box.write(".codex/sessions/2026/empty.txt", "")
  return box.write(".codex/history.jsonl", '{"session_id":"s","ts":1770000000,"text":"Fix the discount"}\n')
}
const trashed = async (box: Sandbox): Promise<void> => {
  sample(box)
  await box.print("delete", "@last")
}
const unreadable = (box: Sandbox): string => {
  const path = box.store([], { id: "bad" })
  writeFileSync(path, "nonsense\n")
  return path
}

/** A session of Claude Code whose process has ended within a turn. */
function stopped(box: Sandbox): void {
  const line = {
    type: "user",
    uuid: "u1",
    parentUuid: null,
    sessionId: "s1",
    cwd: box.project,
    timestamp: "2026-03-07T14:00:00.000Z",
  }
  box.write(
    ".claude/projects/-p/s1.jsonl",
    `${JSON.stringify({ ...line, message: { role: "user", content: "Why?" } })}\n`,
  )
  box.write(".claude/sessions/1.json", JSON.stringify({ pid: 2 ** 30, sessionId: "s1", status: "busy" }))
}

/** A session that someone else writes. */
async function held(box: Sandbox): Promise<void> {
  const path = sample(box)
  const storage = new FileSessionStorage({ agentDir: box.agentDir, env: {}, terminalId: "test" })
  const holder = await new SessionManager({ anyFile: true, storage }).open(path)
  onTestFinished(() => holder.close())
}

function configured(box: Sandbox): void {
  box.write(".treelog/config.json", `{"store":"omp","prices":"${box.folder}/prices.json","agents":["acme.js"]}`)
}

/** By command: scenes that together print every sort of document that its schema has. */
const scenes: Readonly<Record<string, readonly Scene[] | typeof NEEDS_TERMINAL | typeof NEEDS_DATABASE>> = {
  list: [
    { argv: [] },
    { argv: ["--limit", "1"] },
    { argv: ["--all"], given: unreadable },
    { argv: ["--all-stores", "--since", "2020"] },
    { argv: ["--live", "--since", "2020", "--all-stores"], given: stopped },
  ],
  resume: [{ argv: ["--last"] }, { argv: ["--query", "discount"] }, { argv: ["@last"] }],
  show: [{ argv: [] }],
  tree: [
    { argv: [] },
    { argv: ["--filter", "all"] },
    { argv: ["@last", "--select", "aaaa0006"] },
    { argv: ["@last", "--select", "aaaa0005", "--summarizer", "echo S"] },
  ],
  context: [{ argv: [] }, { argv: ["--llm", "anthropic", "--repair"] }, { argv: ["--llm", "openai-responses"] }],
  stats: [
    { argv: [] },
    { argv: ["--all"] },
    { argv: ["--disk"] },
    { argv: ["--all"], given: unreadable },
    { argv: ["@last"] },
    { argv: ["@last", "--by", "tool"] },
    { argv: ["--disk"], given: unreadable },
    { argv: ["--by", "day", "--all"], given: paid },
    { argv: ["--by", "session"], given: paid },
    { argv: ["--by", "agent"], given: paid },
    { argv: ["--by", "person"], given: paid },
    { argv: ["--all-stores", "--since", "2020"], given: unreadable },
  ],
  search: [
    { argv: ["discount"] },
    { argv: ["discount", "--context", "1"] },
    { argv: ["tool:read", "--all-stores"] },
    { argv: ["--prompts", "discount", "--all"], given: typed },
    { argv: ["nothing-like-that"], code: 1 },
  ],
  files: [
    { argv: ["form.tsx"] },
    { argv: ["form.tsx", "--limit", "1"], given: twoSamples },
    { argv: ["form.tsx", "--changed"], code: 1 },
    { argv: ["test"], code: 1 },
  ],
  doctor: [
    { argv: [], given: claudeSession },
    { argv: [], given: (box) => box.write(".pi/agent/settings.json", "{"), code: 4 },
    { argv: [], given: unusableIndex, code: 4 },
    { argv: ["--unhide", "6dfb", "--store", "claude-code"], given: claudeSession },
    {
      argv: ["--undo"],
      given: async (box) => {
        claudeSession(box)
        await box.print("doctor", "--unhide", "6dfb", "--store", "claude-code")
      },
    },
  ],
  index: [
    { argv: [] },
    { argv: [], given: indexed },
    { argv: ["--update"] },
    { argv: ["--update"], given: unreadable },
    { argv: ["--rebuild"] },
  ],
  watch: [
    { argv: ["--from-start"], world: INTERRUPTED, code: 130 },
    { argv: ["--live", "--all", "--all-stores"], given: stopped, world: INTERRUPTED_LIVE, code: 130 },
  ],
  view: [
    { argv: [], world: INTERRUPTED, code: 130 },
    { argv: ["@last"], world: INTERRUPTED, code: 130 },
  ],
  new: [{ argv: ["--id", "fresh"] }, { argv: ["--name", "Audit"] }],
  append: [{ argv: ["@last", "--role", "user", "--text", "Hi"] }],
  branch: [
    { argv: ["@last", "aaaa0005"] },
    { argv: ["@last", "root", "--summary", "S"] },
    { argv: ["@last", "root", "--summarize", "echo S"] },
  ],
  compact: [
    { argv: ["@last", "--keep", "1", "--summarizer", "echo S"] },
    { argv: ["@last", "--keep", "1", "--dry-run"] },
    { argv: ["@last", "--summarizer", "echo S"] },
  ],
  fork: [{ argv: ["@last"] }, { argv: ["@last", "--leaf", "aaaa0005"] }, { argv: ["@last", "--before", "aaaa0006"] }],
  label: [{ argv: ["@last", "aaaa0005", "here"] }, { argv: ["@last", "aaaa0005"] }],
  name: [{ argv: ["@last"] }, { argv: ["@last", "Audit"] }, { argv: ["@last", "--clear"] }],
  verify: [
    { argv: [] },
    { argv: ["torn"], given: torn, code: 4 },
    { argv: ["--all"], given: unreadable, code: 4 },
    { argv: ["--all", "--fix-orphans"], given: orphan },
    {
      argv: ["--all", "--store", "claude-code"],
      given: (box) => box.write(".claude/projects/x/y.jsonl", "no JSON\n"),
    },
  ],
  repair: [
    { argv: ["@last"] },
    { argv: ["torn"], given: torn },
    { argv: ["torn", "--dry-run"], given: torn },
    { argv: ["--migrate", "@last"] },
    { argv: ["--migrate", "old"], given: old },
    { argv: ["--migrate", "--all"], given: (box) => box.store([], { version: 9 }), code: 1 },
  ],
  "blobs slim": [{ argv: ["@last"] }, { argv: ["@last"], given: (box) => box.store([imageEntry("one", null, 1)]) }],
  "blobs inflate": [{ argv: ["@last"] }],
  "blobs ls": [{ argv: [], given: (box) => storeBlob(box, "bytes") }],
  "blobs verify": [
    { argv: [], given: brokenBlobs, code: 4 },
    { argv: [], given: unreadableBlob, code: 1 },
  ],
  "blobs gc": [
    { argv: [] },
    { argv: ["--apply", "--grace", "0"], given: (box) => [sample(box), storeBlob(box, "bytes")], world: LATER },
    { argv: ["--undo"] },
  ],
  export: [{ argv: ["-o", "../out.md"] }, { argv: ["-o", "../out.jsonl"], given: withSecret }],
  import: [
    { argv: ["talk.jsonl"], given: (box) => box.write("project/talk.jsonl", sessionText(testHeader())) },
    { argv: ["--from", "claude-code", "--all"], given: claudeSession },
    { argv: ["--from", "claude-code", "--all", "--dry-run"], given: claudeSession },
    { argv: ["--from", "claude-code", "--all"], given: (box) => box.write(".claude/projects/x/y.jsonl", "no\n") },
    {
      argv: ["--from", "claude-code", "--all", "--to", "codex"],
      given: (box) => [claudeSession(box), mkdirSync(join(box.folder, ".codex"))],
    },
    { argv: ["--from", "treelog", "--to", "../copy", "--all"] },
    { argv: ["--from", "treelog", "--to", "../copy", "--all"], given: unreadable, code: 1 },
    {
      argv: ["../out.tar.gz", "--store", "../copy"],
      given: async (box) => {
        box.store(sampleEntries())
        await box.print("bundle", "-o", "../out.tar.gz")
      },
    },
    {
      argv: ["../out.tar.gz"],
      given: async (box) => {
        const path = box.store(sampleEntries())
        await box.print("bundle", "-o", "../out.tar.gz")
        box.write(path.slice(box.folder.length), "nonsense\n")
      },
      code: 1,
    },
  ],
  bundle: [
    { argv: ["-o", "../out.tar.gz", "@last"] },
    { argv: ["-o", "../out.tar.gz", "--all"], given: unreadable, code: 1 },
  ],
  scan: [{ argv: [] }, { argv: [], given: withSecret, code: 4 }, { argv: ["--all"], given: unreadableName, code: 1 }],
  delete: [
    { argv: ["@last"] },
    { argv: ["@last", "--dry-run"] },
    { argv: ["@last"], given: held, code: 5 },
    { argv: ["--older-than", "1d"], world: LATER },
    { argv: ["--older-than", "1d", ...EVEN_IF_KEPT, "--apply"], world: LATER },
    { argv: ["--older-than", "1d", "--include-named"], given: held, world: LATER },
    { argv: ["--older-than", "1d", ...EVEN_IF_KEPT, "--apply"], given: withBrokenTrash, world: LATER, code: 1 },
  ],
  "trash restore": [
    { argv: ["--last"], given: trashed },
    { argv: ["--last"], given: async (box) => [await trashed(box), sample(box)], code: 1 },
  ],
  "trash ls": [
    { argv: [], given: trashed },
    { argv: [], given: withBrokenTrash, code: 1 },
  ],
  "trash empty": [
    { argv: [], given: trashed },
    { argv: ["--apply"], given: trashed },
    { argv: [], given: withBrokenTrash, code: 1 },
  ],
  relocate: [
    { argv: ["--from", ".", "--to", "../moved"] },
    { argv: ["--from", ".", "--to", "../moved", "--apply"] },
    { argv: ["--from", ".", "--to", "../moved"], given: held, code: 5 },
    {
      argv: ["--undo"],
      given: (box) => [sample(box), box.print("relocate", "--from", ".", "--to", "../moved", "--apply")][1],
    },
  ],
  keep: [
    { argv: [], given: keptSession },
    { argv: [], given: rewrittenSession },
    { argv: ["--prune", "--older-than", "0"], given: lostSession },
    { argv: ["--prune", "--older-than", "0", "--apply"], given: busyCopy, code: 1 },
    { argv: ["--hold", "@last"], given: keptSession },
    { argv: ["--install"], given: withCrontab, world: { env: CRON } },
    {
      argv: ["--from", "s3://blobs/laptop"],
      given: sentCopies,
      world: {
        get env() {
          return bucket.env()
        },
      },
    },
  ],
  restore: [
    { argv: [KEPT], given: lostSession },
    { argv: ["nothing"], given: lostSession, code: 1 },
  ],
  "config get": [{ argv: [] }, { argv: [], given: configured }],
  "config set": [{ argv: ["store", "pi"] }, { argv: ["store", "pi"], given: configured }],
  "config unset": [{ argv: ["store"] }, { argv: ["store"], given: configured }],
  "store migrate": NEEDS_DATABASE,
  "store clean": NEEDS_DATABASE,
  completion: [{ argv: ["zsh"] }, { argv: ["fish", "--", "show", ""] }],
}

function writeKept(box: Sandbox, ...said: string[]): string {
  return box.write(`.claude/projects/-shop/${KEPT}.jsonl`, claudeFile(KEPT, box.project, ...said))
}

async function keptSession(box: Sandbox): Promise<string> {
  const path = writeKept(box, "One", "Two")
  await box.print("keep")
  return path
}

async function sentCopies(box: Sandbox): Promise<void> {
  writeKept(box, "One")
  await box.run(["keep", "--into", "s3://blobs/laptop"], { env: bucket.env() })
}

async function rewrittenSession(box: Sandbox): Promise<void> {
  await keptSession(box)
  writeKept(box, "Three")
}

async function lostSession(box: Sandbox): Promise<void> {
  rmSync(await keptSession(box))
}

/** The copy of a database with a session that is gone, which somebody has locked. */
async function busyCopy(box: Sandbox): Promise<void> {
  const path = join(box.folder, ".local/share/opencode/opencode.db")
  const row = "id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text"
  await writeDatabase(path, [
    [
      "CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, title text, version text, revert text, time_created integer, time_updated integer)",
    ],
    [`CREATE TABLE message (${row})`],
    [`CREATE TABLE part (${row}, message_id text)`],
    ["INSERT INTO session VALUES ('ses_00000001', NULL, '/shop', 'A title', '1.18', NULL, 1, 1)"],
    ["INSERT INTO message VALUES ('msg_1', 'ses_00000001', 1, 1, ?)", '{"role":"user","time":{"created":1}}'],
  ])
  await box.print("keep")
  rmSync(path)
  const db = (await loadDriver()).open(join(box.folder, "agent/kept/opencode/files/opencode.db"))
  onTestFinished(() => void db.close())
  db.exec("BEGIN EXCLUSIVE")
}

/** A crontab that is a file, and no systemd. */
function withCrontab(box: Sandbox): void {
  CRON.PATH = join(box.folder, "bin")
  chmodSync(box.write("bin/crontab", "#!/bin/sh\nexit 0\n"), 0o755)
}

async function indexed(box: Sandbox): Promise<void> {
  sample(box)
  await box.print("index", "--update")
}

/** A folder in the place of the index. */
async function unusableIndex(box: Sandbox): Promise<void> {
  sample(box)
  const { path } = JSON.parse(await box.print("index", "--json"))
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true })
  mkdirSync(path)
}

/** An answer that cost something. */
function paid(box: Sandbox): string {
  const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, totalTokens: 120, cost: { total: 0.5 } }
  return box.store([messageEntry("paid", null, assistantMessage("Done", { usage: usage as never }))])
}

function torn(box: Sandbox): void {
  box.store([userEntry("one", null), '{"torn'], { id: "torn" })
}

/** What a command left that was killed long ago. */
function orphan(box: Sandbox): void {
  const path = `${sample(box)}.0123456789abcdef.tmp`
  writeFileSync(path, "left")
  utimesSync(path, 0, 0)
}

function old(box: Sandbox): void {
  box.store([{ type: "message", message: userEntry("", null) }], { id: "old", version: 1 })
}

function brokenBlobs(box: Sandbox): void {
  box.write(`agent/blobs/${storeBlob(box, "damaged")}`, "other bytes")
}

function unreadableBlob(box: Sandbox): void {
  mkdirSync(join(box.agentDir, "blobs"), { recursive: true })
  symlinkSync(hashOf("unreadable"), join(box.agentDir, "blobs", hashOf("unreadable")))
}

function withSecret(box: Sandbox): string {
  return box.store([userEntry("one", null, `gh${"p_"}${"x1Y2".repeat(9)}`), '{"torn'])
}

/** A name in the store that leads nowhere. */
function unreadableName(box: Sandbox): void {
  symlinkSync("nowhere", join(dirname(sample(box)), "broken.jsonl"))
}

/** A session whose trash leads in a circle. */
function withBrokenTrash(box: Sandbox): void {
  symlinkSync(".trash", join(dirname(sample(box)), ".trash"))
}

function claudeSession(box: Sandbox): string {
  const id = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
  return box.write(`.claude/projects/x/${id}.jsonl`, claudeFile(id, box.project, "hello"))
}

describe("with --json", () => {
  test.each(commands)(
    "`treelog %s` prints what its schema says, and each sort of document that it names",
    async (name) => {
      const sorts = documentsOf(name)
      const tried = scenes[name]
      if (!tried) throw new Error(`\`${name}\` is never tried: give it a scene`)
      if (tried === NEEDS_TERMINAL || tried === NEEDS_DATABASE) {
        const { code, stderr } = await ran(name, { argv: [] })
        expect(code).toBe(2)
        expectDocument(error, JSON.parse(stderr))
        return
      }
      const seen: unknown[] = []
      for (const scene of tried) {
        const { code, json, stderr } = await ran(name, scene)
        expect({ ...scene, code, stderr }).toEqual({ ...scene, code: scene.code ?? 0, stderr: "" })
        for (const value of json) expectDocument(sorts, value)
        seen.push(...json)
      }
      const unseen = sorts.filter((validate) => !seen.some((value) => validate(value)))
      expect(unseen.map(({ schema }) => schema)).toEqual([])
    },
  )

  test.each(commands)("`treelog %s` reports an error as JSON, with its code", async (name) => {
    const { code, stdout, stderr } = await sandbox().run([...name.split(" "), "--no-such-option", "--json"])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    const described: unknown = JSON.parse(stderr)
    expectDocument(error, described)
    expect(described).toMatchObject({ error: { code: "UsageError" } })
  })

  test("docs/schema/v1 has a schema for each command, for errors and for warnings, and no other file.", () => {
    expect(Object.keys(schemas).sort()).toEqual([...commands.map(schemaName), "error", "warning"].sort())
  })
})
