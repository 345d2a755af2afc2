import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { loadDriver } from "@treelog/index-sqlite"
import { SessionManager, type SessionSource } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { expect, it, onTestFinished } from "vitest"
import { openclaw, opencode } from "./door.js"
import { ARCHIVES, addSession, databaseOf, event, headerOf, said, withOpenclaw } from "./openclaw-database.js"
import { addMessage, addSession as addOpencodeSession, text, USER, withOpencode } from "./opencode-database.js"

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "treelog-hostile-"))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

const sessionsIn = (dir: string, agent = openclaw) =>
  new SessionManager({ storage: openAgentStorage(agent, { dir, cacheDir: null, env: {}, loadDriver }) })

async function listed(sessions: SessionManager<SessionSource>) {
  const infos = []
  for await (const { id, error, modified } of sessions.listAll()) infos.push({ id, error: error?.message, modified })
  return infos
}

/** The ids of the sessions that an index lacks since they cannot be read; a file that is no session is not one. */
async function failedIn({ storage }: SessionManager<SessionSource>): Promise<string[]> {
  const { failed } = await new MemorySessionIndex(storage).update()
  return failed.map(({ key }) => decodeURIComponent(basename(key))).sort()
}

const cold = (name: string) => (db: SqliteDatabase) => {
  addSession(db, "ses_a", [], {})
  db.exec("DELETE FROM transcript_events")
  db.exec(ARCHIVES)
  db.prepare("INSERT INTO session_transcript_cold_archives VALUES ('ses_a', ?, 10, 1, NULL)").run(name)
}

it.each([
  ["a path that leads out of it", "../../../../secret.txt"],
  ["an absolute path", "SECRET"],
  ["a link that leads out of it", "link.jsonl.zst"],
])("reads no file outside of the store: %s", async (_, name) => {
  const dir = join(await folder(), "store")
  const archives = join(dir, "agents", "main", "sessions", "cold")
  const secret = join(dir, "..", "secret.txt")
  mkdirSync(archives, { recursive: true })
  writeFileSync(secret, `${JSON.stringify(headerOf("ses_a"))}\n`)
  symlinkSync(secret, join(archives, "link.jsonl.zst"))
  await withOpenclaw(dir, cold(name === "SECRET" ? secret : name))
  const sessions = sessionsIn(dir)
  const opening = sessions.open(join(databaseOf(dir), "ses_a"), { access: "read" })
  await expect(opening).rejects.toMatchObject({
    code: "InvalidSessionError",
    message: expect.stringContaining("a file outside of"),
  })
  expect((await listed(sessions))[0]?.error).toContain("a file outside of")
  expect(await failedIn(sessions)).toEqual(["ses_a"])
})

/** Blocks of zstd that repeat one byte: 4 bytes for 128 KB. */
function repeated(blocks: number): Uint8Array {
  const block = (isLast: boolean) => {
    const head = Number(isLast) | (1 << 1) | ((128 * 1024) << 3)
    return Buffer.of(head & 255, (head >> 8) & 255, head >> 16, 0x78)
  }
  const all = Array.from({ length: blocks }, (_, at) => block(at === blocks - 1))
  return Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x38), ...all])
}

it("unpacks records up to a limit, and reads the other sessions", async () => {
  const dir = await folder()
  await withOpenclaw(dir, (db) => {
    addSession(db, "ses_a", [event("message", null, said("user", "hello"))])
    addSession(db, "ses_b", [event("message", null, said("user", "hello"))])
    db.prepare("INSERT INTO transcript_events VALUES ('ses_b', 9, NULL, 1, ?, NULL, NULL)").run(repeated(2000))
  })
  const sessions = sessionsIn(dir)
  const infos = await listed(sessions)
  expect(await failedIn(sessions)).toEqual(["ses_b"])
  expect(infos.find(({ id }) => id === "ses_a")?.error).toBeUndefined()
  expect(infos.map(({ error }) => error)).toContainEqual(
    expect.stringMatching(/is more than \d+ bytes when it is unpacked, which is the limit/),
  )
})

it("lists the sessions of a database without keys in time that grows with them", async () => {
  const dir = await folder()
  const count = 4000
  await withOpenclaw(dir, (db) => {
    db.exec(`DROP TABLE session_windows; DROP TABLE session_nodes; DROP TABLE transcript_events;
      CREATE TABLE session_windows (session_id, session_key, created_at, updated_at);
      CREATE TABLE session_nodes (session_key, spawned_by, parent_session_key, fork_source_session_id, label, display_name);
      CREATE TABLE transcript_events (session_id, seq, event_json, created_at);
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${count})
        INSERT INTO session_windows SELECT 's' || x, 'key', 1, 1 FROM n;
      INSERT INTO session_nodes SELECT session_key, 'key', NULL, NULL, NULL, NULL FROM session_windows;
      INSERT INTO transcript_events SELECT session_id, 0, '{}', 1 FROM session_windows`)
  })
  let listed = 0
  for await (const { error } of sessionsIn(dir).storage.list({})) if (!error) listed += 1
  expect(listed).toBe(count)
})

it("names rows whose id is no text, and reads times that are none", async () => {
  const dir = await folder()
  await withOpencode(dir, (db) => {
    db.exec(`DROP TABLE session; CREATE TABLE session (id, parent_id, directory, title, version, revert, time_created, time_updated);
      INSERT INTO session VALUES (5, NULL, '/w', 'odd', '1', NULL, 1, 1), (NULL, 3, NULL, NULL, NULL, NULL, NULL, NULL),
        (x'ff00', x'00', 4.5, x'00', 'x', '{', 9e999, -9e999), ('good', x'00', 7, x'00', NULL, 5, 9e999, 'x'),
        ('own', 'own', '/w', 'its own parent', '1', NULL, 9223372036854775807, 9223372036854775807)`)
    addMessage(db, "good", 1, USER, [text("hello")])
  })
  const sessions = sessionsIn(dir, opencode)
  expect(await failedIn(sessions)).toEqual(["bytes-ff00", "number-5", "object-null"])
  const infos = await listed(sessions)
  expect(infos.filter(({ error }) => error?.includes("a session whose id is no text"))).toHaveLength(3)
  expect(infos.filter(({ error }) => !error).map(({ id }) => id)).toEqual(expect.arrayContaining(["good", "own"]))
  expect(infos.every(({ modified }) => !Number.isNaN(new Date(modified).getTime()))).toBe(true)
})

it("says of a database that is busy that it is, and not that it lacks a session", async () => {
  const dir = await folder()
  await withOpencode(dir, (db) => addOpencodeSession(db, "ses_a", 1))
  const busy = async () => {
    throw Object.assign(new Error("another program changes it"), { code: "SQLITE_BUSY" })
  }
  const options = { dir, cacheDir: null, env: {}, loadDriver: busy }
  const sessions = new SessionManager({ storage: openAgentStorage(opencode, options) })
  for (const ref of [{ id: "ses_a" }, "ses_a", "a name"])
    await expect(sessions.open(ref, { access: "read" })).rejects.toMatchObject({
      code: "StorageError",
      data: { errno: "SQLITE_BUSY" },
    })
})

it.skipIf(process.platform === "win32")("names what is no file in the place of a session", async () => {
  const dir = await folder()
  const sessions = join(dir, "agents", "main", "sessions")
  mkdirSync(join(sessions, "folder.jsonl"), { recursive: true })
  execFileSync("mkfifo", [join(sessions, "pipe.jsonl")])
  writeFileSync(join(sessions, "good.jsonl"), `${JSON.stringify(headerOf("good"))}\n`)
  const infos = await listed(sessionsIn(dir))
  expect(infos.map(({ error }) => error)).toEqual(
    expect.arrayContaining([undefined, expect.stringContaining("Not a session but a pipe")]),
  )
  expect(infos).toHaveLength(2)
})
