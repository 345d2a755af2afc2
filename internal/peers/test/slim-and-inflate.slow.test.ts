import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileBlobStore } from "@treelog/blob-store"
import { SessionManager } from "@treelog/session-core"
import { inflateSession, slimSession } from "@treelog/session-core/maintenance"
import { FileSessionStorage } from "@treelog/storage-fs"
import { Random } from "@treelog-internal/test-kit/generator"
import { expect, it, onTestFinished } from "vitest"
import { openCopyInPi } from "./pi.js"

const IMAGES = 22
const COPIES = 100

it("a session of 22 images, 100 copies each, is slimmed by more than 85 % into 22 blobs; inflated, it is what pi read before", async () => {
  const folder = mkdtempSync(join(tmpdir(), "treelog-slim-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const storage = new FileSessionStorage({ agentDir: folder, sessionDir: folder, terminalId: "peers" })
  const blobs = join(folder, "blobs")
  const inline = new SessionManager({ anyFile: true, storage })
  const path = await writeImages(inline)
  const before = {
    size: statSync(path).size,
    entries: await entriesOf(inline, path),
    pi: openCopyInPi(path).buildSessionContext(),
  }

  const sessions = new SessionManager({ anyFile: true, storage, blobs: new FileBlobStore(blobs) })
  const { after, changed } = await slimSession(sessions, path)
  expect(changed).toBe(IMAGES * COPIES)
  expect(statSync(path).size).toBe(after)
  expect(after).toBeLessThan(before.size * 0.15)
  expect(readdirSync(blobs).filter((name) => /^[0-9a-f]{64}$/.test(name))).toHaveLength(IMAGES)

  await inflateSession(sessions, path)
  expect(await entriesOf(inline, path)).toEqual(before.entries)
  expect(openCopyInPi(path).buildSessionContext()).toEqual(before.pi)
})

async function writeImages(sessions: SessionManager): Promise<string> {
  const random = new Random(22)
  const images = Array.from({ length: IMAGES }, () =>
    Buffer.from(Uint8Array.from({ length: 3_000 }, () => random.below(256))).toString("base64"),
  )
  const session = await sessions.create("/home/dev/shop", { persist: "unsynced" })
  for (let copy = 0; copy < COPIES; copy++) {
    for (const data of images) {
      const content = [{ type: "image" as const, data, mimeType: "image/png" }]
      session.appendMessage({ role: "user", content, timestamp: copy })
    }
    session.appendMessage({ role: "assistant", content: [], provider: "p", model: "m", timestamp: copy })
  }
  await session.close()
  return session.getSessionFile() ?? ""
}

async function entriesOf(sessions: SessionManager, path: string) {
  return (await sessions.open(path, { access: "read" })).getEntries()
}
