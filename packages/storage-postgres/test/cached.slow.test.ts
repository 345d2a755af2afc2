import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { CachedSessionStorage } from "@treelog/storage-fs"
import { losingNextAnswer } from "@treelog-internal/test-kit"
import { afterAll, describe, expect, it, test } from "vitest"
import { PostgresSessionStorage } from "../src/index.js"
import { scene } from "./scene.js"

const { client, storage, sent } = scene()
const folder = mkdtempSync(join(tmpdir(), "treelog-cached-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const errors: unknown[] = []
const onError = (error: unknown) => void errors.push(error)

let tenants = 0

sessionStorageContract(
  { describe, it },
  {
    name: "CachedSessionStorage of sessions in PostgreSQL, with two storages over one mirror",
    supports: { ...new PostgresSessionStorage({ client }).supports, syncReads: true },
    losesAnswers: true,
    setup: async () => {
      const tenant = `tenant ${++tenants}`
      let passed = 0
      const clock = { now: () => performance.now() + passed }
      const remote = () => new PostgresSessionStorage({ client, tenant, clock, onError })
      const options = { folder: join(folder, tenant), onCacheError: onError }
      const { storage, loseNextAnswer } = losingNextAnswer(remote())
      const cached = new CachedSessionStorage(storage, options)
      return {
        storage: cached,
        loseNextAnswer,
        reopen: async () => new CachedSessionStorage(remote(), options),
        lapse: async (key) => {
          passed += 30_000
          const lapsed = "update treelog.lease set expires = now() where tenant = $1 and key = $2"
          await client.query(lapsed, [tenant, key])
        },
        teardown: () => cached.settled(),
      }
    },
  },
)

test("nothing failed in the background", () => expect(errors).toEqual([]))

test("a session that did not change takes one statement: to read its context, and to open it besides its lease", async () => {
  const made = await new SessionManager({ storage: storage() }).create("/home/user/project")
  for (let at = 0; at < 40; at++)
    made.appendMessage({ role: "user", content: `${at} ${"long ".repeat(10_000)}`, timestamp: at })
  await made.close()
  const key = made.getSessionFile() ?? ""
  const options = { folder: join(folder, "warm"), onCacheError: onError }
  const cached = new CachedSessionStorage(storage(), options)
  const first = await new SessionManager({ storage: cached }).open(key, { access: "read" })
  await first.close()
  await cached.settled()

  const sessions = new SessionManager({ storage: new CachedSessionStorage(storage(), options) })
  sent()
  expect((await sessions.readContext(key)).messages).toHaveLength(40)
  expect(sent()).toHaveLength(1)
  const read = await sessions.open(key, { access: "read" })
  expect(read.getEntries()).toEqual(made.getEntries())
  expect(sent()).toHaveLength(1)
  await read.close()

  const writing = await sessions.open(key, { access: "shared" })
  sent()
  writing.appendMessage({ role: "user", content: "more", timestamp: 41 })
  await writing.flush()
  expect(sent()).toHaveLength(1)
  const [last] = writing.getEntries().slice(-1)
  expect(last).toMatchObject({ message: { content: "more" } })
  expect(sent()).toEqual([])
  await writing.close()
})
