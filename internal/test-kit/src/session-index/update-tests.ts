import { answersAsNew } from "./as-new.js"
import { equal, failure, ok } from "./assert.js"
import { line, linesOf, type Tests } from "./fixture.js"
import { assistant, call, named, user } from "./samples.js"

export const updateTests: Tests = {
  "reads only what was appended": async ({ session, append, update, index, finds, storage }) => {
    const noResult = call("e", "edit", { path: "src/retry.ts" })
    const later = Array.from({ length: 60 }, (_, at) => user(`b${at}`, "x".repeat(1000)))
    const key = await session("s1", [user("a", "needle"), noResult, ...later])
    await session("s2", [user("c", "other")])
    await update()
    const added = line(user("d", "needle"))
    await append(key, added)
    const { read, bytes, done, total } = await index.update()
    equal([read, bytes, done, total], [1, added.length, 2, 2], "what was read")
    await answersAsNew(index, storage)
    await finds("needle", ["d", "a"])
  },

  "reads nothing where nothing changed": async ({ session, index }) => {
    await session("s1", [user("a", "needle")])
    equal((await index.update()).read, 1, "how many sessions were read first")
    const { read, bytes, removed } = await index.update()
    equal([read, bytes, removed], [0, 0, 0], "what was read then")
  },

  "reads a torn line once it is whole": async ({ session, append, update, finds }) => {
    const key = await session("s1", [user("a", "needle")])
    const text = line(user("b", "needle"))
    await append(key, text.slice(0, 40))
    await update()
    await finds("needle", ["a"])
    await append(key, text.slice(40, -1))
    await update()
    await finds("needle", ["b", "a"])
    await append(key, `\n${line(named("c", "the needle"), "2026-05-02T00:00:00.000Z")}`)
    await update()
    await finds("needle", ["c", "b", "a"])
  },

  "forgets what was replaced, removed and moved": async ({ session, replace, change, update, finds, storage }) => {
    const [first, second, third] = [
      await session("s1", [user("a", "needle"), user("b", "needle")]),
      await session("s2", [user("c", "needle")]),
      await session("s3", [user("d", "needle")]),
    ]
    await update()
    const header = {
      type: "session",
      version: 3,
      id: "s1",
      timestamp: "2026-03-02T09:00:00.000Z",
      cwd: "/home/ada/shop",
    }
    await replace(first, linesOf([header]) + line(user("e", "needle")))
    await change(second, (lease) => lease.remove())
    const moved = storage.keyFor({ cwd: "/home/ada/blog", id: "s3", timestamp: "2026-03-04T09:00:00.000Z" })
    await change(third, (lease) => lease.move(moved))
    await update()
    await finds("needle", ["e", "d"])
  },

  "knows the name that a session has now": async ({ session, append, update, search }) => {
    const key = await session("s1", [user("a", "needle"), named("b", "First")])
    await update()
    await append(key, line(named("c", "Second")))
    await update()
    equal(
      (await search("needle")).sessions.map((found) => found.session.name),
      ["Second"],
      "the name",
    )
    equal((await search("needle name:first")).sessions, [], "what the old name finds")
  },

  "gives the entries of older versions the ids by which they are opened": async ({ session, update, search }) => {
    const said = { type: "message", message: { role: "user", content: "needle", timestamp: 0 } }
    await session("s1", [said, said], { version: undefined })
    await session("s2", [user("b", "needle")], { version: 2 })
    await update()
    const ids = (await search("needle")).sessions.flatMap(({ hits }) => hits.map(({ entryId }) => entryId))
    ok(ids.length === 3 && ids.every((id) => /^(b|[0-9a-f]{8})$/.test(id)), `the ids ${ids.join(", ")}`)
  },

  "reports what is no session apart from a damaged one, and indexes the others": async (fixture) => {
    const { session, replace, index, finds } = fixture
    const damaged = await session("s1", [user("a", "needle")])
    const foreign = await session("s3", [user("c", "needle")])
    await session("s2", [user("b", "needle")])
    await replace(damaged, '{"type":"message","id":"a","parentId":null}\n')
    await replace(foreign, '{"type":"message"}\n')
    for (let time = 1; time <= 2; time++) {
      const report = await index.update()
      equal(
        report.failed.map(({ key, code }) => [key, code]),
        [[damaged, "InvalidSessionError"]],
        "what could not be read",
      )
      equal(report.foreign, [foreign], "what is no session")
    }
    await finds("needle", ["b"])
  },

  "reports how far it is, and stops when its signal aborts": async ({ session, index, finds, update }) => {
    for (let at = 0; at < 5; at++) await session(`s${at}`, [user(`e${at}`, "needle")])
    const stop = new AbortController()
    const seen: number[] = []
    const reason = new Error("enough")
    const stopped = index.update({
      signal: stop.signal,
      onProgress: ({ done }) => {
        seen.push(done)
        if (done === 2) stop.abort(reason)
      },
    })
    ok((await failure(stopped, "an update that is stopped")) === reason, "it fails with the reason")
    equal(seen, [1, 2], "the progress")
    await update()
    await finds("needle", ["e4", "e3", "e2", "e1", "e0"])
  },

  "answers while an update runs, and lets two run at a time": async ({ session, index, update, finds }) => {
    for (let at = 0; at < 20; at++) await session(`s${at}`, [user(`e${at}`, "needle"), assistant(`f${at}`, "hay")])
    const updates = [index.update(), index.update()]
    await finds("role:user hay", [])
    await Promise.all(updates)
    await update()
    equal((await index.search({ terms: [{ text: "hay" }] })).sessions.length, 20, "how many sessions say it")
  },
}
