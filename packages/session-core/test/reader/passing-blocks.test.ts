import { expect, it } from "vitest"
import { readBlocks } from "../../src/session/reader/read-blocks.js"

it("reports a block that cannot be read when its turn comes, also where the one before it takes long", async () => {
  const broken = new Error("EIO")
  let reads = 0
  const storage = {
    readRange: async (_: string, __: number, length: number) => {
      if (++reads === 2) throw broken
      return new Uint8Array(length)
    },
  }
  const nobodys: unknown[] = []
  const notice = (reason: unknown): number => nobodys.push(reason)
  // In a page there is none.
  const { process } = globalThis as { process?: NodeJS.Process }
  process?.on("unhandledRejection", notice)
  const seen: number[] = []
  const reading = async (): Promise<void> => {
    const source = { storage, key: "", stat: { size: 2_000_000, identity: "" }, ranges: undefined }
    for await (const { offset } of readBlocks(source, "forward")) {
      seen.push(offset)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await expect(reading()).rejects.toBe(broken)
  process?.off("unhandledRejection", notice)
  expect(seen).toEqual([0])
  expect(nobodys).toEqual([])
})
