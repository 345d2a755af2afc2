import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { describe, expect, it } from "vitest"
import { expectSound } from "./expect-sound.js"
import { openHistory, textsOf } from "./open-history.js"
import { tempFolder } from "./temp-folder.js"

const SECRET = "Xylophone-Quagmire buzzwords: flibbertigibbet 秘密の合言葉"
/** No other text of these tests has them. */
const TRACES = [
  "Xylophone",
  "ylophon",
  "xylophone",
  "quagmire",
  "Quagmire",
  "flibbertigibbet",
  "秘密の",
  "合言葉",
  "言葉",
]

const prompts = Array.from({ length: 500 }, (_, at) => ({
  text: `ordinary prompt ${at}`,
  createdAt: at * 1e6,
  cwd: "/a",
}))

function traces(path: string): string[] {
  const files = [path, `${path}-wal`].filter((file) => existsSync(file)).map((file) => readFileSync(file))
  return TRACES.filter((trace) => files.some((bytes) => bytes.includes(trace)))
}

/** What the index of words holds, as bytes. */
function indexTraces(path: string): string[] {
  const db = new Database(path)
  const blocks = db.prepare("SELECT block FROM history_fts_data")
  const all = Buffer.concat(blocks.all<{ block: Uint8Array }>().map(({ block }) => block))
  db.close()
  return TRACES.filter((trace) => all.includes(trace))
}

describe("delete", () => {
  it.each([
    ["one prompt", async (id: number) => ({ id })],
    ["by a query", async () => ({ query: "flibbertigibbet" })],
    ["a session", async () => ({ scope: { kind: "session", sessionId: "s1" } as const })],
  ])("leaves nothing of the text in the database or its log: %s", async (_, select) => {
    const path = join(tempFolder(), "history.db")
    const history = openHistory(path)
    await history.import(prompts)
    history.add(SECRET, { cwd: "/a", sessionId: "s1" })
    history.add("in between", { cwd: "/a" })
    history.add(SECRET, { cwd: "/a", sessionId: "s1" })
    await history.flush()
    expect(traces(path)).toContain("Xylophone")
    const [prompt] = await history.search("xylophone")
    expect(await history.delete(await select(prompt?.id ?? 0))).toBe(2)
    expect(traces(path)).toEqual([])
    expect(await history.stats()).toMatchObject({ stored: 501 })
    await history.import([{ text: SECRET, createdAt: 1e12, sessionId: "s1" }])
    expect(await textsOf(history.search("flibbertigibbet"))).toEqual([])
    await history.close()
    expect(traces(path)).toEqual([])
    expectSound(path)
  })

  it("leaves nothing where thousands go", async () => {
    const path = join(tempFolder(), "history.db")
    const history = openHistory(path)
    const many = Array.from({ length: 6000 }, (_, at) => ({ text: `${SECRET} ${at}`, createdAt: at * 1e6, cwd: "/b" }))
    await history.import([...prompts, ...many])
    expect(await history.delete({ scope: { kind: "cwd", cwd: "/b" } })).toBe(6000)
    expect(traces(path)).toEqual([])
    expect(await textsOf(history.search("prompt 499"))).toEqual(["ordinary prompt 499"])
    await history.close()
    expectSound(path)
  })

  it.each([
    ["a few", 5],
    ["hundreds", 700],
  ])("leaves nothing in the index, whatever the texts went through: %s", async (_, count) => {
    const path = join(tempFolder(), "history.db")
    const history = openHistory(path)
    const secrets = Array.from({ length: count }, (_, at) => ({
      text: `${SECRET} ${at}`,
      createdAt: 4e8 + at,
      cwd: "/a",
    }))
    await history.import([
      ...secrets,
      ...prompts,
      ...prompts.map((prompt) => ({ ...prompt, text: `more ${prompt.text}` })),
    ])
    // Added again, and older ones after them.
    for (const { text } of secrets) history.add(text, { cwd: "/a" })
    await history.flush()
    await history.import(prompts.map(({ text, createdAt }) => ({ text: `old ${text}`, createdAt: createdAt - 1000 })))
    history.add(SECRET, { cwd: "/a" })
    await history.flush()
    expect(indexTraces(path)).toContain("言葉")
    expect(await history.delete({ query: "xylophone" })).toBe(2 * count + 1)
    expect(await textsOf(history.search("prompt 499"))).toEqual([
      "more ordinary prompt 499",
      "ordinary prompt 499",
      "old ordinary prompt 499",
    ])
    await history.close()
    expect([traces(path), indexTraces(path)]).toEqual([[], []])
    expectSound(path)
  })

  it("leaves nothing in a file whose program does not overwrite what it moves", async () => {
    const path = join(tempFolder(), "history.db")
    const db = new Database(path)
    db.exec(`PRAGMA journal_mode = WAL;
      CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL);`)
    const insert = db.prepare("INSERT INTO history(id, prompt, created_at) VALUES (?, ?, ?)")
    for (let at = 0; at < 200; at++) insert.run(at * 2 + 1, `${SECRET} ${at}`, at)
    for (let at = 0; at < 200; at++) insert.run(at * 2 + 2, `ordinary prompt ${at} ${"x".repeat(300)}`, at)
    db.close()
    const history = openHistory(path)
    expect(await history.delete({ query: "xylophone" })).toBe(200)
    await history.close()
    expect(traces(path)).toEqual([])
    expectSound(path)
  })

  it("lets an older row of the same text be found where the newest went", async () => {
    const path = join(tempFolder(), "history.db")
    const history = openHistory(path)
    const row = (at: number, sessionId: string) => ({ text: "same", createdAt: at * 1e6, cwd: "/a", sessionId })
    await history.import([row(1, "s1"), { text: "other", createdAt: 2e6 }, row(3, "s2"), row(4, "s3")])
    await history.delete({ scope: { kind: "session", sessionId: "s3" } })
    expect(await textsOf(history.recent())).toEqual(["same", "other"])
    await history.delete({ scope: { kind: "session", sessionId: "s2" } })
    expect(await textsOf(history.recent())).toEqual(["other", "same"])
    expect(await textsOf(history.search("am"))).toEqual(["same"])
    await history.close()
    expectSound(path)
  })
})
