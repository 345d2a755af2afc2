import { join } from "node:path"
import { expect, test } from "vitest"
import { opencode as agent, kilo } from "./door.js"
import { inFolder, shortly } from "./in-folder.js"
import { addMessage, addSession, REPLY, START, text, USER, withOpencode } from "./opencode-database.js"

const time = (at: number) => ({ time: { created: START + at * 1000, updated: START + at * 1000 } })

/** A session as versions before the database wrote it: a file for each message and each part. */
function tree(id: string, said: string, more: object = {}): Record<string, string> {
  const session = { id, projectID: "p", directory: "/home/ada/shop", title: "A title", version: "0.15.1", ...time(1) }
  const files = {
    [`session/p/${id}`]: { ...session, ...more },
    [`message/${id}/msg_2${id}`]: { id: `msg_2${id}`, sessionID: id, ...REPLY, ...time(3) },
    [`message/${id}/msg_1${id}`]: { id: `msg_1${id}`, sessionID: id, ...USER, ...time(2) },
    [`part/msg_1${id}/prt_1`]: { id: "prt_1", ...text(said) },
    [`part/msg_2${id}/prt_2`]: { id: "prt_2", ...text("Answer") },
    [`part/msg_2${id}/prt_3`]: { id: "prt_3", ...text("More") },
  }
  return Object.fromEntries(
    Object.entries(files).map(([name, value]) => [`storage/${name}.json`, JSON.stringify(value)]),
  )
}

test.each([agent, kilo])("sessions in files are read, with those that they started as parts", async (one) => {
  const { listed, usage, contextOf } = await inFolder(one, {
    ...tree("ses_a", "Why?"),
    ...tree("ses_b", "Look", { parentID: "ses_a" }),
  })
  const [session, ...others] = await listed()
  expect(session).toMatchObject({ id: "ses_a", cwd: "/home/ada/shop", name: "A title", firstMessage: "Why?" })
  expect(session?.created).toBe(START + 1000)
  expect(others).toEqual([])
  const [asked, replied] = await contextOf("storage/session/p/ses_a.json")
  expect(shortly([asked ?? {}, replied ?? {}])).toEqual(["user: Why?", "assistant: AnswerMore"])
  expect(await usage()).toMatchObject({ input: 20, output: 14, cost: 0.5 })
})

test("what is in the database and in files is read from the database; a damaged message hides no other", async () => {
  const { dir, listed, usage, contextOf } = await inFolder(agent, {
    ...tree("ses_a", "Old"),
    ...tree("ses_b", "Why?"),
    "storage/message/ses_b/msg_3.json": "{no",
  })
  await withOpencode(dir, (db) => {
    addSession(db, "ses_a", 1)
    addMessage(db, "ses_a", 2, USER, [text("New")])
  })
  const sessions = await listed()
  expect(sessions.map(({ id, path, firstMessage }) => [id, path, firstMessage])).toEqual(
    expect.arrayContaining([
      ["ses_a", join(dir, "opencode.db/ses_a"), "New"],
      ["ses_b", join(dir, "storage/session/p/ses_b.json"), "Why?"],
    ]),
  )
  expect(sessions).toHaveLength(2)
  expect(await usage()).toMatchObject({ input: 10, cost: 0.25 })
  expect(shortly(await contextOf("storage/session/p/ses_b.json"))).toHaveLength(2)
})

test("a session without a folder, as of the first versions, has that of its project, in files and in the database", async () => {
  const worktree = "/home/ada/shop"
  const { dir, listed } = await inFolder(agent, {
    ...tree("ses_a", "Why?", { directory: undefined }),
    "storage/project/p.json": JSON.stringify({ id: "p", worktree }),
  })
  await withOpencode(dir, (db) => {
    addSession(db, "ses_b", 1, { directory: "" })
    db.exec("ALTER TABLE session ADD project_id text; CREATE TABLE project (id text PRIMARY KEY, worktree text)")
    db.prepare("UPDATE session SET project_id = 'p'").run()
    db.prepare("INSERT INTO project VALUES ('p', ?)").run(worktree)
    addMessage(db, "ses_b", 2, USER, [text("New")])
  })
  expect((await listed()).map(({ id, cwd }) => [id, cwd]).sort()).toEqual([
    ["ses_a", worktree],
    ["ses_b", worktree],
  ])
})

test("what a fork copied counts where it was said, and in the fork once that was deleted", async () => {
  const fork = (id: string, at: number) => ({
    ...tree(id, "Why?", { title: `New session - 2026-11-26T00:00:00.000Z`, ...time(at) }),
    [`storage/message/${id}/msg_3.json`]: JSON.stringify({ id: "msg_3", ...REPLY, ...time(at + 1) }),
  })
  const all = { ...tree("ses_a", "Why?"), ...fork("ses_b", 10), ...fork("ses_c", 20) }
  const { listed, usage } = await inFolder(agent, all)
  // One reply each.
  expect(await usage()).toMatchObject({ input: 30, cost: 0.75 })
  const parents = (await listed()).map(({ id, parentSession }) => [id, parentSession])
  expect(parents.sort()).toEqual([
    ["ses_a", undefined],
    ["ses_b", "ses_a"],
    ["ses_c", "ses_a"],
  ])
  const left = await inFolder(agent, { ...fork("ses_b", 10), ...fork("ses_c", 20) })
  expect(await left.usage()).toMatchObject({ input: 30, cost: 0.75 })
})
