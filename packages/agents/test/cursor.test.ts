import { join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { agentContract } from "@treelog/agents/testing"
import { loadDriver } from "@treelog/index-sqlite"
import { describe, expect, it, test } from "vitest"
import { addBubbles, addComposer, bubble, reply, user, withCursor, workspace } from "./cursor-database.js"
import { cursor as agent } from "./door.js"
import { inFolder } from "./in-folder.js"

const idOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)
const turn = (text: string) => [user(text), reply("Answer")]

agentContract(
  { describe, it },
  {
    name: "cursor",
    ids: ["8d2b6a0e-5f51-4a86-9a3f-0d6f8a0c1b11", "0b8f2c4d-7d0e-4f5a-8c52-1f6f0f6f2a22"],
    loadDriver,
    open: (dir, cacheDir, fs) => openAgentStorage(agent, { dir, cacheDir, env: {}, fs, loadDriver }),
    write: (dir, { id, cwd, said }) =>
      withCursor(dir, (db) => {
        addComposer(db, id, said.flatMap(turn), { workspaceIdentifier: workspace(cwd) })
        return join(dir, "globalStorage", "state.vscdb", id)
      }),
    say: (dir, key, text) => withCursor(dir, (db) => addBubbles(db, idOf(key), turn(text))),
    remove: (dir, key) =>
      withCursor(dir, (db) => {
        db.prepare("DELETE FROM cursorDiskKV WHERE instr(key, ?) > 0").run(idOf(key))
      }),
    addUnknown: (dir, key) =>
      withCursor(dir, (db) => {
        addBubbles(db, idOf(key), [bubble(7, {})])
        return "bubble:7"
      }),
  },
)

test("a composer of older versions has the folder of the window that lists it, and a damaged database is named", async () => {
  const { dir, listed } = await inFolder(agent, {
    "workspaceStorage/w/workspace.json": JSON.stringify({ folder: "file:///home/ada/shop" }),
    "workspaceStorage/damaged/state.vscdb": "no database",
  })
  await withCursor(dir, (db) => {
    for (const id of ["a", "b", "c"]) addComposer(db, id, turn("Why?"), { workspaceIdentifier: undefined })
  })
  const db = (await loadDriver()).open(join(dir, "workspaceStorage", "w", "state.vscdb"))
  db.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
  // One that was taken over to the database of all windows is still in that of its own.
  const list = JSON.stringify({ allComposers: [{ composerId: "a" }, { composerId: "c", conversation: turn("Why?") }] })
  db.prepare("INSERT INTO ItemTable VALUES (?, ?)").run("composer.composerData", list)
  db.close()
  const damaged = join(dir, "workspaceStorage", "damaged", "state.vscdb")
  expect((await listed()).map(({ id, cwd, path, error }) => (error ? path : [id, cwd]))).toEqual([
    ["a", "/home/ada/shop"],
    ["b", ""],
    ["c", "/home/ada/shop"],
    damaged,
  ])
})

test("bubbles that are in their composer by their ids are read, with and without a list of them", async () => {
  const { dir, listed, contextOf } = await inFolder(agent, {})
  const bubbles = turn("Why?")
  const conversationMap = Object.fromEntries(bubbles.map((one) => [one.bubbleId, one]))
  const list = bubbles.map(({ bubbleId, type }) => ({ bubbleId, type }))
  await withCursor(dir, (db) => {
    addComposer(db, "a", [], { conversationMap, fullConversationHeadersOnly: list })
    addComposer(db, "b", [], { conversationMap, fullConversationHeadersOnly: undefined })
    addComposer(db, "c", [], { conversationMap: {} })
  })
  expect((await listed()).map(({ id, messageCount }) => [id, messageCount]).sort()).toEqual([
    ["a", 2],
    ["b", 2],
  ])
  expect(await contextOf("globalStorage/state.vscdb/b")).toMatchObject([{ role: "user" }, { role: "assistant" }])
})

test("a conversation of Cursor 3.0 has the folder, the name and the mark that the list of all windows says", async () => {
  const { dir, listed } = await inFolder(agent, {})
  const list = (name: string) =>
    JSON.stringify({
      allComposers: [{ composerId: "a", name, isArchived: true, workspaceIdentifier: workspace("/home/ada/shop") }],
    })
  const facts = async () => (await listed()).map(({ id, cwd, name, kind }) => [id, cwd, name, kind])
  await withCursor(dir, (db) => {
    addComposer(db, "a", turn("Why?"), { workspaceIdentifier: undefined, name: undefined })
    db.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
    db.prepare("INSERT INTO ItemTable VALUES (?, ?)").run("composer.composerHeaders", list("One"))
  })
  expect(await facts()).toEqual([["a", "/home/ada/shop", "One", "archived"]])
  await withCursor(dir, (db) =>
    db.prepare("UPDATE ItemTable SET value = ? WHERE key = ?").run(list("Two"), "composer.composerHeaders"),
  )
  expect(await facts()).toEqual([["a", "/home/ada/shop", "Two", "archived"]])
})

test("a conversation has the folder of the window that has it open, that of the file of several folders, and on a host that of the host", async () => {
  const { dir, listed } = await inFolder(agent, {
    "workspaceStorage/w/workspace.json": JSON.stringify({ folder: "file:///home/ada/shop" }),
  })
  const configPath = { fsPath: "/home/ada/all/my.code-workspace" }
  await withCursor(dir, (db) => {
    addComposer(db, "a", turn("Why?"), { workspaceIdentifier: undefined })
    addComposer(db, "b", turn("Why?"), { workspaceIdentifier: { id: "2", configPath } })
    const uri = { scheme: "vscode-remote", authority: "wsl+ubuntu", path: "/home/ada/far", fsPath: "\\home\\ada\\far" }
    addComposer(db, "c", turn("Why?"), { workspaceIdentifier: { id: "3", uri } })
  })
  const db = (await loadDriver()).open(join(dir, "workspaceStorage", "w", "state.vscdb"))
  db.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
  const state = JSON.stringify({ selectedComposerIds: ["a"], hasMigratedComposerData: true })
  db.prepare("INSERT INTO ItemTable VALUES (?, ?)").run("composer.composerData", state)
  db.close()
  expect((await listed()).map(({ id, cwd }) => [id, cwd])).toEqual([
    ["a", "/home/ada/shop"],
    ["b", "/home/ada/all"],
    ["c", "/home/ada/far"],
  ])
})

test("a prompt that has its text with formats alone is what was typed", async () => {
  const { dir, listed, contextOf } = await inFolder(agent, {})
  const typed = (text: string) => ({ type: "text", text })
  const paragraph = (...children: object[]) => ({ type: "paragraph", children })
  const mention = { type: "mention", text: "@a.ts" }
  const root = {
    children: [paragraph(typed("Read "), mention), paragraph(typed("Why?"), { type: "linebreak" }, typed("Now"))],
  }
  await withCursor(dir, (db) =>
    addComposer(db, "a", [
      user("", { richText: JSON.stringify({ root }) }),
      reply("So."),
      user("", { richText: "{" }),
      user("", { richText: JSON.stringify({ root: { children: [paragraph()] } }) }),
    ]),
  )
  expect(await listed()).toMatchObject([{ firstMessage: "Read @a.ts\nWhy?\nNow" }])
  expect(await contextOf("globalStorage/state.vscdb/a")).toMatchObject([{ role: "user" }, { role: "assistant" }])
})

test("a reply that says no time of its own has that of its request, unless that counts from when a window was opened", async () => {
  const at = Date.parse("2025-06-01T10:00:00.000Z")
  const { dir, listed } = await inFolder(agent, {})
  await withCursor(dir, (db) => {
    const untimed = { createdAt: undefined }
    const bubbles = (timingInfo: object) => [user("Why?", untimed), reply("So.", { ...untimed, timingInfo })]
    addComposer(db, "a", bubbles({ clientStartTime: 812.5, clientRpcSendTime: at + 5000 }), { createdAt: at })
    addComposer(db, "b", bubbles({ clientStartTime: 812.5 }), { createdAt: at })
  })
  expect((await listed()).map(({ id, modified }) => [id, modified])).toEqual([
    ["a", at + 5000],
    ["b", at],
  ])
})

test("what a conversation cost counts where no bubble says its tokens, and a window says that it is archived", async () => {
  const { dir, listed, usage } = await inFolder(agent, {
    "workspaceStorage/w/workspace.json": JSON.stringify({ folder: "file:///home/ada/shop" }),
  })
  const usageData = { "claude-4.5-opus": { costInCents: 125, amount: 3 }, default: { costInCents: 25, amount: 1 } }
  await withCursor(dir, (db) => {
    addComposer(db, "a", [user("Why?"), reply("So.", { tokenCount: undefined })], { usageData, name: undefined })
    addComposer(db, "b", [user("Why?"), reply("So.")], { usageData })
  })
  const db = (await loadDriver()).open(join(dir, "workspaceStorage", "w", "state.vscdb"))
  db.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
  const list = JSON.stringify({ allComposers: [{ composerId: "a", name: "Listed", isArchived: true }] })
  db.prepare("INSERT INTO ItemTable VALUES (?, ?)").run("composer.composerData", list)
  db.close()
  expect((await listed()).map(({ id, name, kind }) => [id, name, kind])).toEqual([
    ["a", "Listed", "archived"],
    ["b", "A title", undefined],
  ])
  expect(await usage()).toMatchObject({ input: 10, output: 5, cost: 1.5 })
})
