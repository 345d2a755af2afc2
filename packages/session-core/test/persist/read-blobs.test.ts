import { SessionManager } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { toolResultMessage, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { endingFor, LIMIT, refOf, sha256 } from "./samples.js"
import { SpyBlobStore } from "./spy-blob-store.js"
import { IMAGES, illustrated, keyOf, LONG, withImage, workbench } from "./workbench.js"

describe("a session read again", () => {
  it("shows references, and its context has images and texts back", async () => {
    const { manager, blobs } = workbench()
    const session = await illustrated(manager)
    const whole = session.buildSessionContext()
    await session.close()
    const again = await manager.open(keyOf(session), { access: "read" })
    const shown = JSON.stringify(again.getEntries())
    for (const data of IMAGES) expect([shown.includes(refOf(data)), shown.includes(data)]).toEqual([true, false])
    expect(blobs.reads).toEqual([])
    expect(await again.readContext()).toEqual(whole)
    expect(blobs.reads).toHaveLength(5)
    expect(await manager.readContext(keyOf(session))).toEqual(whole)
  })

  it("shows references still after its context was read", async () => {
    const { manager } = workbench()
    const session = await illustrated(manager)
    await session.close()
    const again = await manager.open(keyOf(session), { access: "read" })
    const before = JSON.stringify(again.getEntries())
    await again.readContext()
    expect(JSON.stringify(again.getEntries())).toBe(before)
  })

  it("leaves the references of missing and damaged blobs in the context, with diagnostics", async () => {
    const { manager, blobs, storage } = workbench()
    const session = await illustrated(manager)
    await session.close()
    blobs.damaged.add(sha256(Buffer.from(IMAGES[0] ?? "", "base64")))
    const damaged = await manager.readContext(keyOf(session))
    expect(damaged.messages[0]).toEqual(withImage(refOf(IMAGES[0] ?? "")))
    expect(damaged.diagnostics).toMatchObject([{ kind: "damaged-blob", entryId: damaged.entries[0] }])
    const missing = await new SessionManager({ storage, blobs: new SpyBlobStore() }).readContext(keyOf(session))
    expect(missing.diagnostics.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => "missing-blob"))
    expect(JSON.stringify(missing.messages)).toContain(endingFor(LONG).slice(2, -1).split("\n")[0])
  })

  it("reports what another program cut for good, in its context and by verify", async () => {
    const { manager, storage } = workbench()
    const writer = new SessionManager({ storage })
    const session = await writer.create("/project")
    session.appendMessage(toolResultMessage("t", { details: { content: LONG } }))
    session.appendMessage(userMessage("go on"))
    await session.close()
    const { messages, diagnostics } = await manager.readContext(keyOf(session))
    expect((messages[0] as { details?: { content: string } }).details?.content).toHaveLength(LIMIT)
    expect(diagnostics.map(({ kind }) => kind)).toEqual(["cut-text"])
    const { ok, diagnostics: found } = await verifySession(manager, keyOf(session))
    expect(found).toMatchObject([{ kind: "cut-text", line: 2 }])
    expect(ok).toBe(true)
  })

  it("is found by verify to miss the blobs that are missing or damaged", async () => {
    const { manager, blobs, storage } = workbench()
    const session = await illustrated(manager)
    await session.close()
    expect(await verifySession(manager, keyOf(session))).toMatchObject({ ok: true, diagnostics: [] })
    blobs.damaged.add(sha256(LONG))
    expect(await verifySession(manager, keyOf(session))).toMatchObject({
      ok: false,
      diagnostics: [{ kind: "damaged-blob", line: 4 }],
    })
    const { diagnostics } = await verifySession(
      new SessionManager({ storage, blobs: new SpyBlobStore() }),
      keyOf(session),
    )
    expect(diagnostics.map(({ kind, line }) => [kind, line])).toEqual(
      [2, 4, 4, 5, 5].map((line) => ["missing-blob", line]),
    )
  })
})
