import { utimesSync } from "node:fs"
import { SessionManager } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { expect, test } from "vitest"
import { JointStorage } from "../src/joint-storage.js"
import { temporaryBox } from "./box.js"

test("an id that copies in two storages have means the newest", async () => {
  const box = temporaryBox()
  const storages = ["a", "b"].map((name, at) => {
    const header = { type: "session", version: 3, id: "twin", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/shop" }
    const message = { role: "user", content: `in ${name}`, timestamp: Date.UTC(2026, 0, 1 + at) }
    const entry = { type: "message", id: "e1", parentId: null, timestamp: `2026-01-0${1 + at}T00:00:00.000Z`, message }
    const lines = [header, entry].map((line) => `${JSON.stringify(line)}\n`).join("")
    // What was written just now is not in the cache yet.
    utimesSync(box.write(`${name}/sessions/--shop--/2026-01-01T00-00-00-000Z_twin.jsonl`, lines), 1e9, 1e9)
    return new FileSessionStorage({ agentDir: `${box.folder}/${name}`, env: {}, cacheDir: `${box.folder}/cache` })
  }) as [FileSessionStorage, FileSessionStorage]
  const joint = new JointStorage(storages)
  await expect(new SessionManager({ storage: joint }).open({ id: "twin" }, { access: "read" })).rejects.toThrow(
    "2 sessions",
  )
  const manager = new SessionManager({ storage: joint.withNewestCopies() })
  for await (const _ of manager.listAll());
  const session = await manager.open({ id: "twin" }, { access: "read" })
  expect(session.getSessionFile()).toContain(`${box.folder}/b/`)
})
