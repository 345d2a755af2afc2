import { basename, dirname } from "node:path"
import { expectTyped, type FaultKind, forEachFault, twice } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { contentOf, expectArtifacts, fillArtifacts, leaseOf, sceneOf, statOf } from "./scene.js"
import { AT_ONCE, bytes, killOwners, namesIn, newKey } from "./store.js"

const FAULTS: FaultKind[] = ["EIO", "ENOSPC", "EINTR", "EPERM", "short", "short-ENOSPC"]
describe("when one call fails, and the caller tries once more", () => {
  it("an append is there once, and nothing else", async () => {
    const count = await forEachFault(FAULTS, async (run) => {
      const scene = await sceneOf(run, "one\n")
      let stat = await statOf(scene.storage, scene.key)
      scene.faulty.arm()
      const lease = await leaseOf(scene)
      for (const line of ["two\n", "three\n", "four\n"]) {
        stat = await twice(() => lease.append(bytes(line), stat))
        await twice(() => lease.sync())
      }
      await twice(() => lease.release())
      expect(await contentOf(scene.key)).toBe("one\ntwo\nthree\nfour\n")
      expect(await namesIn(scene.folder)).toEqual([basename(scene.key)])
    })
    expect(count).toBeGreaterThan(20)
  })

  it("a new session is there whole, once", async () => {
    await forEachFault(FAULTS, async (run) => {
      const scene = await sceneOf(run)
      scene.faulty.arm()
      const lease = await leaseOf(scene)
      const stat = await twice(() => lease.create([bytes("one\n"), bytes("two\n")]))
      await twice(() => lease.sync())
      await twice(() => lease.append(bytes("three\n"), stat))
      await twice(() => lease.release())
      expect(await contentOf(scene.key)).toBe("one\ntwo\nthree\n")
      expect(await namesIn(scene.folder)).toEqual([basename(scene.key)])
    })
  })

  it("a new session has all the artifacts of its source", async () => {
    await forEachFault(["EIO", "EPERM", "short-ENOSPC"], async (run) => {
      const scene = await sceneOf(run, "source\n")
      await fillArtifacts(scene.key)
      scene.faulty.arm()
      const fork = { ...scene, key: newKey(scene.storage) }
      const lease = await leaseOf(fork)
      await twice(() => lease.create([bytes("fork\n")], { artifactsFrom: scene.key }))
      await twice(() => lease.release())
      await expectArtifacts(fork.key)
      await expectArtifacts(scene.key)
      expect(await namesIn(scene.folder)).toHaveLength(4)
    })
  })

  it("a replacement is there, and the old bytes are kept, once", async () => {
    await forEachFault(FAULTS, async (run) => {
      const scene = await sceneOf(run, "old\n")
      const expected = await statOf(scene.storage, scene.key)
      scene.faulty.arm()
      const lease = await leaseOf(scene)
      const { stat, kept } = await twice(() =>
        lease.replace([bytes("new\n"), bytes("newer\n")], { expected, keepAs: ".v1.bak" }),
      )
      await twice(() => lease.append(bytes("more\n"), stat))
      await twice(() => lease.release())
      expect(await contentOf(scene.key)).toBe("new\nnewer\nmore\n")
      expect(kept).toBe(`${scene.key}.v1.bak`)
      expect(await contentOf(`${scene.key}.v1.bak`)).toBe("old\n")
      expect(await namesIn(scene.folder)).toEqual([basename(scene.key), `${basename(scene.key)}.v1.bak`])
    })
  })

  it("a moved session is at its new place, with its artifacts", async () => {
    await forEachFault(FAULTS, async (run) => {
      const scene = await sceneOf(run, "one\n")
      await fillArtifacts(scene.key)
      const to = newKey(scene.storage, "/elsewhere")
      const stat = await statOf(scene.storage, scene.key)
      scene.faulty.arm()
      const lease = await leaseOf(scene)
      await twice(() => lease.move(to))
      await twice(() => lease.append(bytes("two\n"), stat))
      await twice(() => lease.sync())
      await twice(() => lease.release())
      expect(await contentOf(to)).toBe("one\ntwo\n")
      await expectArtifacts(to)
      expect(await namesIn(scene.folder)).toEqual([])
      expect(await namesIn(dirname(to))).toHaveLength(2)
    })
  })

  it("a session is removed", async () => {
    await forEachFault(FAULTS, async (run) => {
      const scene = await sceneOf(run, "broken\n")
      scene.faulty.arm()
      const lease = await leaseOf(scene)
      await fillArtifacts(scene.key)
      await twice(() => lease.remove())
      await twice(() => lease.release())
      expect(await namesIn(scene.folder)).toEqual([])
    })
  })

  it("a stale lock is taken over", async () => {
    await forEachFault(FAULTS, async (run) => {
      const scene = await sceneOf(run, "one\n")
      await scene.storage.lease(scene.key, AT_ONCE)
      await killOwners(scene.folder)
      const stat = await statOf(scene.storage, scene.key)
      scene.faulty.arm()
      const lease = await leaseOf(scene)
      await twice(() => lease.append(bytes("two\n"), stat))
      await twice(() => lease.release())
      expect(await contentOf(scene.key)).toBe("one\ntwo\n")
      expect(await namesIn(scene.folder)).toEqual([basename(scene.key)])
    })
  })

  it("a range is read, and a breadcrumb is found", async () => {
    await forEachFault(FAULTS, async (run) => {
      const { storage, key, faulty } = await sceneOf(run, "0123456789")
      faulty.arm()
      await twice(() => storage.breadcrumbs.write("/a", key))
      expect(await twice(() => storage.breadcrumbs.read())).toEqual({ cwd: "/a", key })
      expect(new Uint8Array(await twice(() => storage.readRange(key, 2, 5)))).toEqual(bytes("23456"))
    })
  })
})

describe("when a call fails that was carried out all the same", () => {
  it("what is stored is the old or the new, whole", async () => {
    const late = { late: true }
    await forEachFault(
      ["EIO"],
      async (run) => {
        const scene = await sceneOf(run)
        scene.faulty.arm()
        const lease = await leaseOf(scene).catch(() => undefined)
        await lease?.create([bytes("old\n")]).catch(expectTyped)
        await lease?.sync().catch(expectTyped)
        expect(["old\n", undefined]).toContain(await contentOf(scene.key))
        const expected = await scene.storage.stat(scene.key).catch(() => undefined)
        if (expected !== undefined)
          await lease?.replace([bytes("new\n")], { expected, keepAs: ".bak" }).catch(expectTyped)
        expect(["old\n", "new\n", undefined]).toContain(await contentOf(scene.key))
        expect(["old\n", undefined]).toContain(await contentOf(`${scene.key}.bak`))
        const to = newKey(scene.storage)
        await lease?.move(to).catch(() => undefined)
        const [there, moved] = [await contentOf(scene.key), await contentOf(to)]
        if (expected !== undefined) expect([there, moved].filter((text) => text)).toHaveLength(1)
      },
      late,
    )
  })
})
