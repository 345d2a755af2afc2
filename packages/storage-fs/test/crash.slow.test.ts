import { mkdir } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { type FaultKind, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { contentOf, expectArtifacts, fillArtifacts, litter, nextProcess, sceneOf, statOf } from "./scene.js"
import { AT_ONCE, bytes, killOwners, namesIn, newKey } from "./store.js"

const CRASHES: FaultKind[] = ["crash", "torn-crash"]
// A test of these is hundreds of runs.

describe("when the process dies at a call", () => {
  it("every line that was synced is there, and the next process continues at once", async () => {
    const count = await forEachFault(CRASHES, async (run) => {
      const scene = await sceneOf(run, "one\n")
      let stat = await statOf(scene.storage, scene.key)
      scene.faulty.arm()
      let synced = "one\n"
      const lines = ["two\n", "three\n", "four\n"]
      const work = async () => {
        const lease = await scene.storage.lease(scene.key, AT_ONCE)
        for (const line of lines) {
          stat = await lease.append(bytes(line), stat)
          await lease.sync()
          synced += line
        }
        await lease.release()
      }
      await work().catch(() => undefined)
      const found = (await contentOf(scene.key)) ?? ""
      expect(found.startsWith(synced)).toBe(true)
      expect(`one\n${lines.join("")}`.startsWith(found)).toBe(true)

      const { storage, lease } = await nextProcess(scene)
      await lease.append(bytes("\nmore\n"), await statOf(storage, scene.key))
      await lease.release()
      expect(await contentOf(scene.key)).toBe(`${found}\nmore\n`)
      expect(await litter(scene.folder)).toEqual([basename(scene.key)])
    })
    expect(count).toBeGreaterThan(20)
  })

  it("a new session is there whole or not at all", async () => {
    await forEachFault(CRASHES, async (run) => {
      const scene = await sceneOf(run, "source\n")
      await fillArtifacts(scene.key)
      const fork = { ...scene, key: newKey(scene.storage) }
      scene.faulty.arm()
      const work = async () => {
        const lease = await scene.storage.lease(fork.key, AT_ONCE)
        await lease.create([bytes("one\n"), bytes("two\n")], { artifactsFrom: scene.key })
        await lease.release()
      }
      await work().catch(() => undefined)
      const found = await contentOf(fork.key)
      expect(["one\ntwo\n", undefined]).toContain(found)
      const { lease } = await nextProcess(fork)
      await lease.release()
      if (found !== undefined) await expectArtifacts(fork.key)
      else expect(await namesIn(fork.folder)).not.toContain(basename(fork.key, ".jsonl"))
      const rest = (await litter(scene.folder)).filter((name) => name.includes(".tmp"))
      expect(rest).toEqual([])
    })
  })

  it("a session is the old one or the new one, and what is kept is the old one", async () => {
    await forEachFault(CRASHES, async (run) => {
      const scene = await sceneOf(run, "old\n")
      const expected = await statOf(scene.storage, scene.key)
      scene.faulty.arm()
      const work = async () => {
        const lease = await scene.storage.lease(scene.key, AT_ONCE)
        await lease.replace([bytes("new\n"), bytes("newer\n")], { expected, keepAs: ".v1.bak" })
        await lease.release()
      }
      await work().catch(() => undefined)
      const found = await contentOf(scene.key)
      expect(["old\n", "new\nnewer\n"]).toContain(found)
      const kept = await contentOf(`${scene.key}.v1.bak`)
      expect([undefined, "old\n"]).toContain(kept)
      if (found !== "old\n") expect(kept).toBe("old\n")

      const { storage, lease } = await nextProcess(scene)
      if (found === "old\n") {
        const again = await statOf(storage, scene.key)
        const done = await lease.replace([bytes("again\n")], { expected: again, keepAs: ".v1.bak" })
        expect(done.kept).toBe(`${scene.key}.v1.bak`)
        expect(await contentOf(done.kept ?? "")).toBe("old\n")
      }
      await lease.release()
      expect(await litter(scene.folder)).toEqual([basename(scene.key), `${basename(scene.key)}.v1.bak`])
    })
  })

  it("a moved session is under one name, whole, and the same move again brings it to its new one with its artifacts", async () => {
    await forEachFault(CRASHES, async (run) => {
      const scene = await sceneOf(run, "one\n")
      await fillArtifacts(scene.key)
      const to = newKey(scene.storage, "/elsewhere")
      scene.faulty.arm()
      const work = async () => {
        const lease = await scene.storage.lease(scene.key, AT_ONCE)
        await lease.move(to)
        await lease.release()
      }
      await work().catch(() => undefined)
      const found = [await contentOf(scene.key), await contentOf(to)]
      expect(found.filter((text) => text === "one\n")).toHaveLength(1)
      expect(found.filter((text) => text !== "one\n" && text)).toEqual([])
      await mkdir(dirname(to), { recursive: true })
      await killOwners(dirname(to))
      const key = found[0] === "one\n" ? scene.key : to
      const { lease } = await nextProcess({ ...scene, key })
      await lease.move(to)
      await lease.release()
      expect([await contentOf(scene.key), await contentOf(to)]).toEqual([undefined, "one\n"])
      await expectArtifacts(to)
      // The lock of the dead process may be all that is left at the old place: the next one who asks for it takes it over.
      expect([[], [`${basename(scene.key)}.lock`]]).toContainEqual(await litter(scene.folder))
      expect(await litter(dirname(to))).toEqual([basename(to, ".jsonl"), basename(to)])
    })
  })
})
