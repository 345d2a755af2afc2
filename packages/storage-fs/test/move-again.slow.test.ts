import { mkdir, rename, symlink } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { moveSession, verifySession } from "@treelog/session-core/maintenance"
import { sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { contentOf, expectArtifacts, fillArtifacts, type Scene, sceneOf } from "./scene.js"
import { killOwners, storeIn } from "./store.js"

const CWD = "/elsewhere"

const storedSession = sessionText(testHeader({ cwd: "/project" }), userEntry("a", null))

describe("a move that is killed at any call", () => {
  it("is brought to its end by the same move: one session, in its new folder, with its artifacts", async () => {
    const count = await forEachFault(["crash"], (run) => moved(run, async () => undefined))
    expect(count).toBeGreaterThan(30)
  })

  it("is so too where the session is a link", async () => {
    await forEachFault(["crash"], (run) =>
      moved(run, async ({ key, folder }) => {
        const target = join(folder, "..", "..", "elsewhere.jsonl")
        await rename(key, target)
        await symlink(target, key)
      }),
    )
  })

  async function moved(run: Parameters<typeof sceneOf>[0], prepare: (scene: Scene) => Promise<void>): Promise<void> {
    const scene = await sceneOf(run, storedSession)
    await fillArtifacts(scene.key)
    await prepare(scene)
    scene.faulty.arm()
    await moveSession(new SessionManager({ anyFile: true, storage: scene.storage }), scene.key, CWD).catch(
      () => undefined,
    )

    const storage = await storeIn(join(scene.folder, "..", ".."))
    const place = { cwd: CWD, id: testHeader().id, timestamp: testHeader().timestamp }
    const to = storage.keyFor(place)
    for (const folder of [scene.folder, dirname(to)]) {
      await mkdir(folder, { recursive: true })
      await killOwners(folder)
    }
    await killOwners(join(scene.folder, "..", ".."))
    const sessions = new SessionManager({ anyFile: true, storage })
    const key = (await contentOf(scene.key)) === undefined ? to : scene.key
    expect(await moveSession(sessions, key, CWD)).toBe(to)
    expect([await contentOf(scene.key), (await verifySession(sessions, to)).ok]).toEqual([undefined, true])
    expect((await sessions.open(to, { access: "read" })).getCwd()).toBe(CWD)
    await expectArtifacts(to)
    const listed: string[] = []
    for await (const { path } of sessions.listAll()) listed.push(basename(path))
    expect(listed).toEqual([basename(to)])
  }
})
