import { mkdir, readdir, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { nodeFs } from "@treelog-internal/fs"
import { generateClaudeFile } from "@treelog-internal/test-kit/claude-code"
import { describe, expect, it } from "vitest"
import { type ClaudeFolder, folderOfTest } from "./claude-folder.js"

const ID = "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f"
const CWD = "/home/ada/shop"

type Fields = Record<string, unknown>

function said(uuid: string, parentUuid: string | null, content: unknown, fields: Fields = {}): string {
  const common = {
    sessionId: ID,
    cwd: CWD,
    version: "2.1.0",
    isSidechain: false,
    timestamp: "2026-01-02T03:04:05.000Z",
  }
  return JSON.stringify({ parentUuid, ...common, type: "user", uuid, message: { role: "user", content }, ...fields })
}

function deep(levels: number): string {
  return `${"[".repeat(levels)}1${"]".repeat(levels)}`
}

const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  "lines that were cut off": [
    said("a", null, "one").slice(0, 60),
    said("b", "a", "two"),
    said("c", "b", "three").slice(0, 80),
  ],
  "parents in a circle": [said("a", "c", "one"), said("b", "a", "two"), said("c", "b", "three")],
  "a line that is its own parent": [said("a", "a", "one"), said("b", "a", "two")],
  "parents that are missing": [said("a", "x", "one"), said("b", "y", "two")],
  "one uuid for several lines": [said("a", null, "one"), said("a", null, "two"), said("a", "a", "three")],
  "NULs in lines and between them": [said("a", null, "one\0two"), "\0\0\0", `${said("b", "a", "two")}\0`],
  "values that are nested 10,000 levels deep": [
    said("a", null, "one"),
    `{"type":"user","uuid":"b","parentUuid":"a","message":{"role":"user","content":${deep(10_000)}}}`,
    `{"type":"assistant","uuid":"c","parentUuid":"b","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":${deep(10_000)}}]}}`,
  ],
  "values of other types than expected": [
    said("a", null, "one", { timestamp: 7, cwd: ["x"], sessionId: {}, isMeta: "yes" }),
    '{"type":"user","uuid":5,"parentUuid":{},"message":[]}',
    '{"type":"assistant","message":{"content":[null,1,{"type":2},[]],"usage":{"input_tokens":"many"}}}',
    '{"type":"system","subtype":"compact_boundary","compactMetadata":"none","uuid":"d","parentUuid":null}',
    '{"type":"content-replacement","replacements":{"length":3}}',
    '{"type":"__proto__","uuid":"constructor"}',
  ],
  "bytes that are no text": ["\uFFFD\uFFFE", said("a", null, "\uD800 one"), "{", "[]", "null", '"text"'],
}

async function readAll(made: ClaudeFolder, path: string) {
  const manager = new SessionManager({ storage: made.storage })
  const listed = []
  for await (const info of manager.listAll()) listed.push(info)
  const session = await manager.open(path, { access: "read" })
  const { entries, messages } = { entries: session.getEntries(), messages: session.buildSessionContext().messages }
  await session.close()
  return {
    listed,
    entries,
    messages,
    verified: await verifySession(manager, path),
    report: await made.storage.report(path),
  }
}

describe("A file of Claude Code with", () => {
  it.each(Object.entries(HOSTILE))(
    "%s is listed and read as one tree, with each line accounted for",
    async (_, lines) => {
      const made = await folderOfTest()
      const path = made.pathOf(ID, CWD)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, `${lines.join("\n")}\n`)
      const { listed, entries, verified, report } = await readAll(made, path)
      expect(listed).toMatchObject([{ id: ID }])
      expect(listed[0]).not.toHaveProperty("error")
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
      expect(verified).toMatchObject({ ok: true })
      const counted = Object.values(report.kinds).reduce(
        (sum, { converted, kept, skipped }) => sum + converted + kept + skipped,
        0,
      )
      expect(counted).toBe(report.lines)
      for (const { reason = "" } of Object.values(report.kinds)) expect(reason).toBeTypeOf("string")
    },
  )
})

describe("A project folder of any name", () => {
  it.each(["-", "..x", "a b", "ü ☕", "%2e%2e", "'quoted\" $(name)", "x".repeat(255)])(
    "such as %j has its sessions listed",
    async (name) => {
      const made = await folderOfTest()
      const path = `${made.dir}/projects/${name}/${ID}.jsonl`
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, `${said("a", null, "one")}\n`)
      const { listed, entries } = await readAll(made, path)
      expect(listed).toMatchObject([{ id: ID, path, cwd: CWD }])
      expect(entries.length).toBe(1)
    },
  )
})

describe("A disk that is full while the cache is written", () => {
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" })

  it("keeps no session from being listed and read, is reported once, and leaves no file behind", async () => {
    const made = await folderOfTest()
    const { lines } = generateClaudeFile(3, 10)
    const path = made.pathOf(ID, CWD)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `${lines.join("\n")}\n`)
    const reported: string[] = []
    const fs: typeof nodeFs = Object.assign(Object.create(nodeFs), {
      open: async (...args: Parameters<typeof nodeFs.open>) => {
        const file = await nodeFs.open(...args)
        if (!String(args[0]).startsWith(made.cacheDir)) return file
        return Object.assign(Object.create(file), {
          write: () => Promise.reject(full),
          close: () => file.close(),
          stat: (...options: Parameters<typeof file.stat>) => file.stat(...options),
          read: (...options: Parameters<typeof file.read>) => file.read(...options),
        })
      },
    })
    const storage = made.open({ fs, onCacheError: ({ code }) => reported.push(code) })
    const got = await readAll({ ...made, storage }, path)
    const left = await readdir(made.cacheDir, { recursive: true, withFileTypes: true })
    expect(left.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([])
    const expected = await readAll(made, path)
    expect([got.listed, got.entries, got.messages]).toEqual([expected.listed, expected.entries, expected.messages])
    expect(reported).toEqual(["StorageError"])
  })
})
