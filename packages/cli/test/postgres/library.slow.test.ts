import { openLibrary } from "@treelog/stores"
import { assistantMessage, messageEntry, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { expect, onTestFinished, test } from "vitest"
import { addressOf, databaseScene } from "./database-box.js"

const scene = databaseScene()
const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 }

test("a database beside files is one library: copies are listed, found and counted once, and whatever is found opens", async () => {
  const box = scene.machine()
  const { files } = box
  const answer = (id: string) =>
    messageEntry(`a-${id}`, `u-${id}`, assistantMessage("the lamp is green", { usage: USAGE as never }))
  const text = (id: string) =>
    sessionText(testHeader({ id, cwd: files.project }), userEntry(`u-${id}`, null, `a lamp for ${id}`), answer(id))
  const pathOf = (id: string) => `.pi/agent/sessions/--x--/2026-03-07T14-00-00-000Z_${id}.jsonl`
  files.write(pathOf("went-on"), text("went-on"))
  files.write(pathOf("here"), text("here"))
  await box.print("import", "--from", "pi", "went-on")
  await box.print("append", "went-on", '{"role":"user","content":"and a second lamp"}')
  await box.store([userEntry("own", null, "a lamp of the database")], "own")

  const database = addressOf(scene.database)
  const closing: (() => Promise<void>)[] = []
  const env = { HOME: files.folder, TREELOG_CACHE_DIR: files.cacheDir }
  const library = await openLibrary({
    env,
    cwd: files.project,
    stores: ["pi", database],
    onOpen: (close) => closing.push(close),
  })
  onTestFinished(async () => {
    await library.close()
    for (const close of closing) await close()
  })

  const isDatabase = (name: string): string => (name === "pi" ? "pi" : "database")
  const listed: unknown[] = []
  for await (const { id, source, copies } of library.list({}))
    listed.push([id, isDatabase(source.name), copies.map((copy) => isDatabase(copy.source.name))])
  expect(listed.sort()).toEqual([
    ["here", "pi", []],
    ["own", "database", []],
    ["went-on", "database", ["pi"]],
  ])

  await library.update()
  const { sessions } = await library.search({ terms: [{ text: "lamp" }], roles: ["user"] })
  const places = sessions.flatMap(({ session, source, hits }) =>
    hits.map(({ entryId }) => ({ session: session.id, entry: entryId, source: isDatabase(source.name) })),
  )
  expect(places.map(({ session, source }) => `${session} ${source}`).sort()).toEqual([
    "here pi",
    "own database",
    "went-on database",
    "went-on database",
  ])
  for (const place of places) {
    const session = await library.openEntry(place)
    expect(session.getEntry(place.entry)).toBeDefined()
    await session.close()
  }

  const sums = await library.usage({}, ["session", "agent"])
  expect(sums.total.totals).toMatchObject({ calls: 2, totalTokens: 4 })
  expect(sums.rows("agent").map(({ key, totals }) => [key, totals.calls])).toEqual([["pi", 2]])
  const { source, copies } = await library.resolve("went-on")
  expect([isDatabase(source.name), copies.length]).toEqual(["database", 1])
})
