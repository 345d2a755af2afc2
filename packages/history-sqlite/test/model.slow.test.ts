import { join } from "node:path"
import { type PromptOrigin, type PromptScope, SqlitePromptHistory } from "@treelog/history-sqlite"
import Database from "better-sqlite3"
import fc from "fast-check"
import { expect, it } from "vitest"
import { expectSound } from "./expect-sound.js"
import { HistoryModel, type TestedHistory } from "./history-model.js"
import { tempFolder } from "./temp-folder.js"

const START = Date.UTC(2026, 2, 7)

const text = fc.constantFrom("ab", "abc", "abcd", "b c", "构建", "构建 ab", "continue")
const cwd = fc.constantFrom("/a", "/a/b", "/c", undefined)
const sessionId = fc.constantFrom("s1", "s2", "s3", undefined)
const scope: fc.Arbitrary<PromptScope> = fc.oneof(
  fc.constantFrom("s1", "s2").map((id) => ({ kind: "session" as const, sessionId: id })),
  fc.constantFrom("/a", "/c").map((folder) => ({ kind: "cwd" as const, cwd: folder })),
  fc.constant({ kind: "repository" as const, roots: ["/a"] }),
)
const query = fc.constantFrom("b", "bc", "abc", "构", "建 a", "cont")
const createdAt = fc.integer({ min: -30, max: 5 }).map((minutes) => START + minutes * 1000)
const prompt = fc.record({ text, createdAt, cwd, sessionId })

type Change = (history: TestedHistory) => Promise<unknown>

const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ text, cwd, sessionId }).map(given) },
  {
    weight: 3,
    arbitrary: fc.array(prompt, { maxLength: 6 }).map(
      (prompts): Change =>
        (h) =>
          h.import(prompts),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ query, scope }).map(
      (selection): Change =>
        (h) =>
          h.delete(selection),
    ),
  },
  {
    weight: 1,
    arbitrary: query.map(
      (words): Change =>
        (h) =>
          h.delete({ query: words }),
    ),
  },
  {
    weight: 1,
    arbitrary: scope.map(
      (all): Change =>
        (h) =>
          h.delete({ scope: all }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat(5).map(
      (at): Change =>
        (h) =>
          deleteAt(h, at),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Change>((h) => h.flush()) },
)

function given({ text, ...origin }: { text: string } & PromptOrigin): Change {
  return async (history) => history.add(text, origin)
}

async function deleteAt(history: TestedHistory, at: number): Promise<number> {
  const found = (await history.recent())[at]
  return found === undefined ? 0 : history.delete({ id: found.id })
}

async function seen(history: TestedHistory): Promise<unknown> {
  const scopes: PromptScope[] = [
    { kind: "all" },
    { kind: "session", sessionId: "s1" },
    { kind: "cwd", cwd: "/a" },
    { kind: "repository", roots: ["/a"] },
  ]
  const lists = []
  for (const each of scopes)
    for (const words of ["", "b", "abc", "构 建"]) lists.push(await history.search(words, { scope: each }))
  const { bytes, ...stats } = await history.stats()
  return { stats, lists: lists.map((list) => list.map(({ id, ...stored }) => stored)) }
}

it("shows after any changes what a plain list of prompts shows, and its indexes are sound", async () => {
  const folder = tempFolder()
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 8 }), async (rounds) => {
      const path = join(folder, `${run++}.db`)
      const clocks = [0, 0].map((_, at) => ({
        times: 0,
        now: () => START + ++(clocks[at] as { times: number }).times * 1000,
      }))
      const [ours, model] = [
        new SqlitePromptHistory({ path, clock: clocks[0], ignore: { secrets: false } }),
        new HistoryModel(() => clocks[1]?.now() ?? 0),
      ]
      for (const changes of rounds) {
        for (const make of changes) expect(await make(ours)).toEqual(await make(model))
        expect(await seen(ours)).toEqual(await seen(model))
      }
      await ours.close()
      if (rounds.length > 0) expectSound(path)
    }),
    { numRuns: 60 },
  )
})

it("finds the same where another program changed rows in between", async () => {
  const path = join(tempFolder(), "history.db")
  const history = new SqlitePromptHistory({ path, ignore: { secrets: false } })
  await history.import([{ text: "first", createdAt: START }])
  const db = new Database(path)
  const statement = fc.oneof(
    prompt.map((row) => [
      "INSERT INTO history(prompt, created_at, cwd) VALUES (?, ?, ?)",
      row.text,
      row.createdAt / 1000,
      row.cwd,
    ]),
    prompt.map((row) => [
      "UPDATE history SET prompt = ?, created_at = ? WHERE id % 3 = 0",
      row.text,
      row.createdAt / 1000,
    ]),
    fc.nat(9).map((rest) => ["DELETE FROM history WHERE id % 10 = ?", rest]),
    fc.constant(["UPDATE history SET cwd = '/moved' WHERE id % 4 = 1"]),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { maxLength: 12 }), async (statements) => {
      for (const [sql, ...values] of statements) db.prepare(String(sql)).run(...values.map((value) => value ?? null))
      for (const words of ["", "bc", "构", "continue"]) {
        const rows = db
          .prepare("SELECT prompt FROM history ORDER BY created_at DESC, id DESC")
          .all<{ prompt: string }>()
        const texts = new Set(rows.map((row) => row.prompt).filter((stored) => stored.includes(words)))
        expect((await history.search(words)).map((found) => found.text)).toEqual([...texts])
      }
    }),
    { numRuns: 60 },
  )
  db.close()
  await history.close()
  expectSound(path)
})
