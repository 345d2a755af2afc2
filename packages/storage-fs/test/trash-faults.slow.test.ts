import { basename, dirname, join } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { expectTyped, type FaultKind, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { contentOf, expectArtifacts, fillArtifacts, litter, type Scene, sceneOf } from "./scene.js"
import { killOwners, namesIn } from "./store.js"

const NOW = Date.parse("2026-03-07T15:30:00.250Z")
const CRASHES: FaultKind[] = ["crash", "torn-crash"]
const FAULTS: FaultKind[] = ["EIO", "ENOSPC", "EINTR", "EPERM"]
async function trashed({ folder }: Scene): Promise<string[]> {
  const paths: string[] = []
  const storage = new FileSessionStorage({ agentDir: join(folder, "..", ".."), terminalId: "test" })
  for await (const { path } of storage.trash.list()) paths.push(path)
  return paths
}

/** The session is whole, here or there, once; restored where need be, it is as it was. */
async function expectWhole(scene: Scene): Promise<void> {
  await killOwners(scene.folder)
  const storage = new FileSessionStorage({ agentDir: join(scene.folder, "..", ".."), terminalId: "test" })
  const paths = await trashed(scene)
  const isThere = (await contentOf(scene.key)) === "one\n"
  expect([isThere, paths.length]).toEqual(isThere ? [true, 0] : [false, 1])
  if (isThere) await expectArtifacts(scene.key)
  for (const path of paths) await storage.trash.restore(path)
  expect(await contentOf(scene.key)).toBe("one\n")
  await expectArtifacts(scene.key)
  const names = (await litter(scene.folder)).filter((name) => name !== ".trash" && !name.endsWith(".lock"))
  expect(names).toEqual([basename(scene.key, ".jsonl"), basename(scene.key)])
}

/** As they are when the process died. */
async function crashed(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined)
}

describe("when the process dies at a call", () => {
  it("a session on its way to the trash is in its place with all that is its, or can be restored with it.", async () => {
    const count = await forEachFault(CRASHES, async (run) => {
      const scene = await sceneOf(run, "one\n")
      await fillArtifacts(scene.key)
      scene.faulty.arm()
      await crashed(scene.storage.trash.put(scene.key, { now: NOW }))
      await expectWhole(scene)
    })
    expect(count).toBeGreaterThan(15)
  })

  it("a session on its way back is in its place with all that is its, or can be restored once more.", async () => {
    await forEachFault(CRASHES, async (run) => {
      const scene = await sceneOf(run, "one\n")
      await fillArtifacts(scene.key)
      const path = await scene.storage.trash.put(scene.key, { now: NOW })
      scene.faulty.arm()
      await crashed(scene.storage.trash.restore(path))
      await expectWhole(scene)
    })
  })

  it("a session that is being removed for good is listed until nothing of it is left.", async () => {
    await forEachFault(CRASHES, async (run) => {
      const scene = await sceneOf(run, "one\n")
      await fillArtifacts(scene.key)
      const path = await scene.storage.trash.put(scene.key, { now: NOW })
      scene.faulty.arm()
      await crashed(scene.storage.trash.remove(path))
      await killOwners(scene.folder)
      const storage = new FileSessionStorage({ agentDir: join(scene.folder, "..", ".."), terminalId: "test" })
      for (const left of await trashed(scene)) await storage.trash.remove(left)
      expect(await contentOf(path)).toBeUndefined()
      // An empty folder may stay.
      const names = (await namesIn(scene.folder)).filter((name) => name !== ".trash" && !name.includes(".lock"))
      expect(names).toEqual([])
    })
  })
})

describe("when one call fails", () => {
  it("the session is where it was with all that is its, or in the trash, and trying once more does it.", async () => {
    await forEachFault(FAULTS, async (run) => {
      const scene = await sceneOf(run, "one\n")
      await fillArtifacts(scene.key)
      scene.faulty.arm()
      try {
        await scene.storage.trash.put(scene.key, { now: NOW })
      } catch (error) {
        expectTyped(error)
        // The release may be what failed: then it is in the trash already.
        const isThere = (await contentOf(scene.key)) === "one\n"
        if (isThere) await expectArtifacts(scene.key)
        if (isThere) await scene.storage.trash.put(scene.key, { now: NOW })
      }
      await expectWhole(scene)
    })
  })

  it("what was restored by half is restored by trying once more.", async () => {
    await forEachFault(FAULTS, async (run) => {
      const scene = await sceneOf(run, "one\n")
      await fillArtifacts(scene.key)
      const path = await scene.storage.trash.put(scene.key, { now: NOW })
      scene.faulty.arm()
      for (let tries = 0; tries < 2; tries++)
        await scene.storage.trash.restore(path).catch((error: unknown) => {
          if (!isTreelogError(error, "SessionNotFoundError")) expectTyped(error)
        })
      expect(await contentOf(scene.key)).toBe("one\n")
      await expectArtifacts(scene.key)
      expect((await namesIn(dirname(scene.key))).filter((name) => name !== ".trash")).toHaveLength(2)
    })
  })
})
