import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { nodeFs, sweep, undoSweep } from "@treelog/blob-store"
import { isTreelogError } from "@treelog/session-core"
import { expectTyped, type FaultKind, type FaultRun, forEachFault, twice } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { type Agent, agent, fileNaming, lineNaming, namesIn, oldBlob, quickFs } from "./folders.js"

const FAULTS: FaultKind[] = ["EIO", "EINTR", "EPERM"]
interface Scene extends Agent {
  readonly named: string
  /** In the trash of an earlier sweep, and named since. */
  readonly back: string
  readonly lost: readonly string[]
}

describe("when one call of a sweep fails", () => {
  it.each([false, true])(
    "what is named stays, the error is typed, and the second try does it (late: %s)",
    async (late) => {
      const count = await forEachFault(
        late ? ["EIO"] : FAULTS,
        async (run) => {
          const { home, faulty } = await scene(run)
          faulty.arm()
          await twice(() => sweep({ ...home, apply: true, fs: faulty.fs }))
          await expectWhole(home, [home.named, home.back], [])
          expect(await namesIn(home.blobs)).toEqual([".trash", home.named, home.back, `${home.named}.png`].sort())
        },
        { late },
      )
      expect(count).toBeGreaterThan(60)
    },
  )

  it("and nobody tries again, every blob is there or can be had back", async () => {
    await forEachFault(FAULTS, async (run) => {
      const { home, faulty } = await scene(run)
      faulty.arm()
      await sweep({ ...home, apply: true, fs: faulty.fs }).catch(expectTyped)
      faulty.disarm()
      await undoSweep(home.blobs, { fs: quickFs })
      await expectWhole(home, [home.named, home.back, ...home.lost], [`${home.named}.png`, `${home.lost[0]}.png`])
    })
  })

  it("all calls after it may fail, too: undoing gives everything back", async () => {
    await forEachFault(
      ["EIO"],
      async (run) => {
        const { home, faulty } = await scene(run)
        faulty.arm()
        await sweep({ ...home, apply: true, fs: faulty.fs }).catch(expectTyped)
        faulty.disarm()
        await undoSweep(home.blobs, { fs: quickFs })
        await expectWhole(home, [home.named, home.back, ...home.lost], [`${home.lost[0]}.png`])
      },
      { times: Number.POSITIVE_INFINITY },
    )
  })
})

describe("when a sweep dies at a call", () => {
  it("what is named is in its place, and undoing gives the rest back", async () => {
    const count = await forEachFault(["crash"], async (run) => {
      const { home, faulty } = await scene(run)
      faulty.arm()
      await sweep({ ...home, apply: true, fs: faulty.fs }).catch(() => undefined)
      await expectWhole(home, [home.named], [`${home.named}.png`])
      await undoSweep(home.blobs, { fs: quickFs })
      await expectWhole(home, [home.named, home.back, ...home.lost], [`${home.lost[0]}.png`])
    })
    expect(count).toBeGreaterThan(30)
  })

  it("the next one does the work, and gives back what is named", async () => {
    await forEachFault(["crash"], async (run) => {
      const { home, faulty } = await scene(run)
      faulty.arm()
      await sweep({ ...home, apply: true, fs: faulty.fs }).catch(() => undefined)
      await sweep({ ...home, apply: true, fs: quickFs })
      await expectWhole(home, [home.named, home.back], [`${home.named}.png`])
      for (const hash of home.lost) expect(await home.store.has(hash)).toBe(false)
    })
  })
})

describe("when one call of undoing a sweep fails", () => {
  it("the error is typed, and the second try gives everything back", async () => {
    await forEachFault(FAULTS, async (run) => {
      const { home, faulty } = await scene(run)
      await sweep({ ...home, apply: true, fs: quickFs })
      faulty.arm()
      await twice(() => undoSweep(home.blobs, { fs: faulty.fs }))
      await expectWhole(home, [home.named, home.back, ...home.lost], [`${home.named}.png`, `${home.lost[0]}.png`])
    })
  })
})

describe("when giving back fails after a sweep failed", () => {
  it("the error says that undoing does it, and it does", async () => {
    const home = await agent()
    const hash = await oldBlob(home, "lost")
    await fileNaming(home, "a.jsonl", lineNaming())
    const refuse = async () => {
      throw Object.assign(new Error("no"), { code: "EIO" })
    }
    const fs = { ...nodeFs, link: refuse }
    const failing = {
      ...fs,
      rename: async (from: string, to: string) => {
        await nodeFs.rename(from, to)
        await refuse()
      },
    }
    const error = await sweep({ ...home, apply: true, fs: failing }).catch((reason: unknown) => reason)
    expect(isTreelogError(error, "StorageError") && String(error.cause)).toContain("undoSweep does")
    await undoSweep(home.blobs, { fs: quickFs })
    expect(await home.store.has(hash)).toBe(true)
  })
})

/** Blobs of every fate, on a disk that will fail. */
async function scene({ inject }: FaultRun) {
  const home = await agent()
  const [named, one, two] = [await oldBlob(home, "named"), await oldBlob(home, "one"), await oldBlob(home, "two")]
  for (const hash of [named, one]) await writeFile(join(home.blobs, `${hash}.png`), "image")
  const back = await oldBlob({ blobs: join(home.blobs, ".trash", "2026-03-07T14-00-00-000Z") }, "back")
  await fileNaming(home, "--a--/a.jsonl", lineNaming(named))
  await fileNaming(home, "--b--/b/sub.jsonl", lineNaming(back))
  return { home: { ...home, named, back, lost: [one, two] } satisfies Scene, faulty: inject(quickFs) }
}

async function expectWhole(home: Agent, hashes: readonly string[], sidecars: readonly string[]): Promise<void> {
  for (const hash of hashes) expect(await home.store.get(hash)).toBeDefined()
  for (const name of sidecars) expect(await readFile(join(home.blobs, name), "utf8")).toBe("image")
}
