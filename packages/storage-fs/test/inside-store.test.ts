import { copyFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { userMessage } from "@treelog-internal/test-kit"
import { expect, it } from "vitest"
import { storeIn, tempDir } from "./store.js"

it("a manager without `anyFile` opens files inside its store, however their path is spelled, and no others", async () => {
  const agentDir = await tempDir()
  const storage = await storeIn(agentDir)
  const session = await new SessionManager({ storage }).create("/project")
  session.appendMessage(userMessage("a"))
  await session.close()
  const path = session.getSessionFile() as string
  const limited = new SessionManager({ storage })
  const detour = join(dirname(path), "x").concat("/../", path.slice(dirname(path).length + 1))
  for (const ref of [path, detour, relative(process.cwd(), path), { id: session.getSessionId() }])
    expect(await limited.resolve(ref)).toBe(path)

  const outside = join(await tempDir(), "outside.jsonl")
  copyFileSync(path, outside)
  const link = join(await tempDir(), "link.jsonl")
  symlinkSync(path, link)
  const inStore = join(agentDir, "sessions", "loose.jsonl")
  copyFileSync(path, inStore)
  const other = `${path}.bak`
  writeFileSync(other, "x")
  const absent = join(dirname(path), "new.jsonl")
  await expect(limited.readContext(absent)).rejects.toMatchObject({ code: "SessionNotFoundError" })
  const traversal = `${dirname(path)}/../../../${relative(join(agentDir, ".."), outside)}`
  for (const ref of [outside, link, inStore, other, traversal, "/etc/passwd", "./x.jsonl"]) {
    await expect(limited.open(ref)).rejects.toMatchObject({ code: "SessionOutsideStoreError", data: { ref } })
    await expect(limited.readContext(ref)).rejects.toMatchObject({ code: "SessionOutsideStoreError" })
  }
  expect((await new SessionManager({ storage, anyFile: true }).open(outside)).getEntryCount()).toBe(1)
})
