import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { codeBlocks } from "./docs-pages.js"
import { ROOT } from "./repository.js"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treelog-docs-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const linesIn = (code: string) => code.split("\n").filter((line) => line.trim() !== "")

/** Bundles the code with our sources and runs it as a program of its own, in an empty folder. */
async function run(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, loader: "ts", resolveDir: join(ROOT, "internal/published") },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@treelog/source"],
    external: ["better-sqlite3", "tar-stream"],
    logLevel: "silent",
  })
  // The packages that are not bundled.
  mkdirSync(join(folder, "node_modules"))
  for (const [owner, name] of [
    ["history-sqlite", "better-sqlite3"],
    ["bundle", "tar-stream"],
  ] as const)
    symlinkSync(join(ROOT, "packages", owner, "node_modules", name), join(folder, "node_modules", name), "junction")
  writeFileSync(join(folder, "example.mjs"), outputFiles[0]?.contents ?? "")
  const env = { ...process.env, HOME: folder, NO_COLOR: "1" }
  const { stdout, stderr, status } = spawnSync(process.execPath, ["example.mjs"], {
    cwd: folder,
    env,
    encoding: "utf8",
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  return stdout
}

describe("README.md", () => {
  test("shows ten lines that run, write a session file and print the context", async () => {
    const [example = ""] = codeBlocks("README.md")
    expect(linesIn(example)).toHaveLength(10)
    const printed = await run(example)
    expect(printed).toContain("Which way?")
    expect(printed).toContain("Try the right one.")
    expect(printed).not.toContain("Try the left one.")
    const bucket = join(folder, "agent", "sessions", "--home-me-project--")
    const sessions = readdirSync(bucket).filter((name) => name.endsWith(".jsonl"))
    expect(sessions).toHaveLength(1)
    const lines = linesIn(readFileSync(join(bucket, sessions[0] ?? ""), "utf8"))
    const [header, question, left, right] = lines.map((line) => JSON.parse(line))
    expect(lines).toHaveLength(4)
    expect(header).toMatchObject({ type: "session", version: 3, cwd: "/home/me/project" })
    expect([left.parentId, right.parentId]).toEqual([question.id, question.id])
  })
})

describe("docs/use.md", () => {
  test("shows pieces that run, one after the other, and print what their comments have", async () => {
    const pieces = codeBlocks("docs/use.md")
    expect(pieces.length).toBeGreaterThan(5)
    const printed = linesIn(await run(pieces.join("\n")))
    const rows = printed.splice(6, 2)
    expect(printed).toEqual([
      ...["user Why is the build red?", "assistant ", "toolResult error: no space left on device"],
      ...["2", "compacted", "1 null off", "1 0", "Why is the build red?"],
    ])
    for (const row of rows) expect(row).toMatch(/^[0-9a-f-]{36} Why is the build red\? pending$/)
    for (const said of ["user Why is the build red?", "2", "compacted", "1 null off", "1 0", "Why is the build red?"])
      expect(pieces.join("\n")).toContain(`// ${said}\n`)
  })
})

describe("packages/session-core/README.md", () => {
  const [sessions = "", compaction = "", schema = ""] = codeBlocks("packages/session-core/README.md")

  test("shows lines that run, list the session and read its context", async () => {
    expect(linesIn(sessions).length).toBeLessThanOrEqual(10)
    const [row = "", ...model] = (await run(sessions)).trim().split("\n")
    expect(row).toMatch(/^[0-9a-f-]{36} Which way\?$/)
    expect(model.join("")).toContain("claude-opus-4-6")
  })

  test("shows a compaction that is carried out, and messages for a model", async () => {
    expect((await run(compaction)).trim()).toBe("1")
  })

  test("shows a check that finds the fault", async () => {
    expect(await run(schema)).toMatch(/path: \[ 'targetId' \]/)
  })
})

describe("packages/storage-fs/README.md", () => {
  test("shows lines that run and write a session file", async () => {
    const [example = ""] = codeBlocks("packages/storage-fs/README.md")
    await run(example)
    const written = readdirSync(join(folder, ".treelog/agent/sessions"), { recursive: true, encoding: "utf8" })
    expect(written.filter((name) => name.endsWith(".jsonl"))).toHaveLength(1)
  })
})

describe("packages/storage-indexeddb/README.md", () => {
  test("shows lines that run where there is no database, and open none", async () => {
    const [example = ""] = codeBlocks("packages/storage-indexeddb/README.md")
    expect(await run(example)).toBe("")
  })
})

describe("packages/blob-store/README.md", () => {
  test("shows lines that run, and a sweep that keeps the one blob that a session names", async () => {
    const [example = ""] = codeBlocks("packages/blob-store/README.md")
    expect((await run(example)).trim()).toBe("1")
    expect(readdirSync(join(folder, "agent/blobs")).filter((name) => /^[0-9a-f]{64}$/.test(name))).toHaveLength(1)
  })
})

describe("packages/blob-store-s3/README.md", () => {
  test("shows lines that run, write a session file, and connect to nothing", async () => {
    const [example = ""] = codeBlocks("packages/blob-store-s3/README.md")
    expect(await run(`globalThis.fetch = () => { throw new Error("connected") }\n${example}`)).toBe("")
    const written = readdirSync(join(folder, "agent"), { recursive: true, encoding: "utf8" })
    expect(written.filter((name) => name.endsWith(".jsonl"))).toHaveLength(1)
  })
})

describe("packages/agent-sdks/README.md", () => {
  test("shows lines that run, and store a file of a session", async () => {
    const [example = ""] = codeBlocks("packages/agent-sdks/README.md")
    expect(await run(example)).toBe("[ 'events.jsonl' ] []\n")
    const written = readdirSync(join(folder, "agent"), { recursive: true, encoding: "utf8" })
    expect(written.filter((name) => name.endsWith(".jsonl"))).toHaveLength(1)
  })
})

describe("packages/secrets/README.md", () => {
  test("shows lines that run, and print no password", async () => {
    const [example = ""] = codeBlocks("packages/secrets/README.md")
    const [place, ...redacted] = (await run(example)).trim().split("\n")
    expect(place).toBe("password in a URL 19 37")
    expect(redacted.join("\n")).not.toContain("n0t-s0-s3cret")
    expect(redacted[0]).toBe("Look at postgres://[redacted password in a URL]@db.internal/shop")
  })
})

describe("packages/export/README.md", () => {
  test("shows lines that run, and export no password", async () => {
    const [example = ""] = codeBlocks("packages/export/README.md")
    const exported = await run(example)
    expect(exported).toContain("Use postgres://[redacted password in a URL]@db/shop\n")
    expect(exported).not.toContain("n0t-s0-s3cret")
  })
})

describe("packages/bundle/README.md", () => {
  test("shows lines that run, and bring a session to another store", async () => {
    const [example = ""] = codeBlocks("packages/bundle/README.md")
    expect(await run(example)).toBe("sessions/1.jsonl created\n")
  })
})

describe("packages/history-sqlite/README.md", () => {
  test("shows lines that run and find the prompt", async () => {
    const [example = ""] = codeBlocks("packages/history-sqlite/README.md")
    expect(await run(example)).toMatch(/^\d{4}-\S+Z Why does the discount field lose its focus\?\n$/)
  })
})

describe("packages/index-sqlite/README.md", () => {
  test("shows lines that run and find what was said", async () => {
    const [example = ""] = codeBlocks("packages/index-sqlite/README.md")
    expect(await run(example)).toBe("user Why is the retry test flaky?\n[] []\n")
  })
})

describe("packages/viewer/README.md", () => {
  test("shows lines that run, and write the page with and without a session", async () => {
    // The place of the page in the built package.
    symlinkSync(join(ROOT, "packages/viewer/dist/page"), join(folder, "page"), "junction")
    const [example = ""] = codeBlocks("packages/viewer/README.md")
    await run(example)
    const [page, demo] = ["viewer.html", "demo.html"].map((name) => readFileSync(join(folder, name), "utf8"))
    expect(page?.includes("<title>treelog</title>")).toBe(true)
    expect(demo?.includes("<title>Discount field</title>")).toBe(true)
    expect(demo?.includes('type="application/x-treelog-session"')).toBe(true)
  })
})
