import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { FileBlobStore } from "@treelog/blob-store"
import { webDigest } from "@treelog/session-core/adapter"
import { expectTyped, type FaultKind, type FaultRun, forEachFault, twice } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { bytes, namesIn, quickFs, tempDir } from "./folders.js"

const FAULTS: FaultKind[] = ["EIO", "ENOSPC", "EINTR", "EPERM", "short", "short-ENOSPC"]
const CRASHES: FaultKind[] = ["crash", "torn-crash"]
const TEXT = "a blob of some bytes"
const puts: Record<string, () => Uint8Array | AsyncIterable<Uint8Array>> = {
  bytes: () => bytes(TEXT),
  "a stream": () => stream(),
}

describe.each(Object.entries(puts))("when one call fails while a blob comes as %s", (_, given) => {
  it.each([false, true])("no half blob has a name, and the second try stores it (late: %s)", async (late) => {
    const count = await forEachFault(
      late ? ["EIO", "EINTR"] : FAULTS,
      async (run) => {
        const { store, folder, faulty } = await scene(run)
        faulty.arm()
        const first = await store.put(given()).catch(expectTyped)
        await expectWholeBlobs(folder)
        const hash = await twice(() => store.put(given()))
        if (first !== undefined) expect(first).toBe(hash)
        faulty.disarm()
        expect(await store.get(hash)).toEqual(bytes(TEXT))
      },
      { late },
    )
    expect(count).toBeGreaterThan(10)
  })

  it("a put that succeeds has left the blob whole, also beside an earlier one", async () => {
    await forEachFault(["EIO", "EPERM", "EINTR"], async (run) => {
      const { store, folder, faulty } = await scene(run)
      const hash = await new FileBlobStore(folder, { fs: quickFs }).put(given())
      faulty.arm()
      await twice(() => store.put(given()))
      await twice(() => store.put(given()))
      faulty.disarm()
      expect(await store.get(hash)).toEqual(bytes(TEXT))
    })
  })

  it("a crash leaves a whole blob or none, and the next process can put it", async () => {
    const count = await forEachFault(CRASHES, async (run) => {
      const { store, folder, faulty } = await scene(run)
      faulty.arm()
      const put = await store.put(given()).catch(() => undefined)
      const blobs = await expectWholeBlobs(folder)
      if (put !== undefined) expect(blobs).toEqual([put])
      const next = new FileBlobStore(folder, { fs: quickFs })
      const hash = await next.put(given())
      expect(await next.get(hash)).toEqual(bytes(TEXT))
    })
    expect(count).toBeGreaterThan(10)
  })
})

describe("when one call fails while a blob is read", () => {
  it("the error is typed, and the second try gives the bytes", async () => {
    await forEachFault(["EIO", "EINTR", "EPERM", "short"], async (run) => {
      const { store, faulty } = await scene(run)
      const hash = await store.put(bytes(TEXT))
      faulty.arm()
      expect(await twice(() => store.get(hash))).toEqual(bytes(TEXT))
      expect(await twice(() => collected(store.openRead(hash)))).toEqual([bytes(TEXT)])
      expect(await twice(() => store.size(hash))).toBe(TEXT.length)
      expect(await twice(() => collected(store.list()))).toMatchObject([{ hash }])
    })
  })
})

async function scene({ inject }: FaultRun) {
  const folder = join(await tempDir(), "agent", "blobs")
  const faulty = inject(quickFs)
  return { folder, faulty, store: new FileBlobStore(folder, { fs: faulty.fs }) }
}

/** Every file that has a hash for its name has the bytes. */
async function expectWholeBlobs(folder: string): Promise<string[]> {
  const blobs = (await namesIn(folder)).filter((name) => !name.startsWith("."))
  for (const name of blobs) expect(await webDigest.sha256(await readFile(join(folder, name)))).toBe(name)
  return blobs
}

async function* stream(): AsyncGenerator<Uint8Array> {
  for (const word of TEXT.split(/(?<= )/)) yield bytes(word)
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
