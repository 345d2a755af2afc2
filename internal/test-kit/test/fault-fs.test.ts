import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CrashError, FaultFs, type FaultKind, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

const real = { open, readFile }
const BYTES = Buffer.from("0123456789")

let dir: string
let path: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "fault-fs-"))
  path = join(dir, "file")
  await writeFile(path, "")
})
afterEach(() => rm(dir, { recursive: true, force: true }))

async function writeTwice({ fs }: FaultFs<typeof real>): Promise<number[]> {
  const file = await fs.open(path, "r+")
  try {
    const first = await file.write(BYTES, 0, 10, 0)
    const second = await file.write(BYTES, first.bytesWritten, 10 - first.bytesWritten, first.bytesWritten)
    return [first.bytesWritten, second.bytesWritten]
  } finally {
    await file.close()
  }
}

describe("a file system with faults", () => {
  it("does what the real one does when nothing is planned, and names the calls", async () => {
    const faulty = new FaultFs(real)
    expect(await writeTwice(faulty)).toEqual([10, 0])
    expect(await readFile(path, "utf8")).toBe("0123456789")
    expect(faulty.calls).toEqual(["open", "file.write", "file.write", "file.close"])
    expect(faulty.hit).toBeUndefined()
  })

  it("fails the call that was planned, once, and does nothing then", async () => {
    const faulty = new FaultFs(real, { fault: "EIO", operation: "file.write" })
    await expect(writeTwice(faulty)).rejects.toMatchObject({ code: "EIO" })
    expect(await readFile(path, "utf8")).toBe("")
    expect(await writeTwice(faulty)).toEqual([10, 0])
  })

  it("carries a late fault out", async () => {
    const faulty = new FaultFs(real, { fault: "EIO", operation: "file.write", late: true })
    await expect(writeTwice(faulty)).rejects.toMatchObject({ code: "EIO" })
    expect(await readFile(path, "utf8")).toBe("0123456789")
  })

  it("writes half, and then the rest or nothing", async () => {
    expect(await writeTwice(new FaultFs(real, { fault: "short", operation: "file.write" }))).toEqual([5, 5])
    await writeFile(path, "")
    const full = new FaultFs(real, { fault: "short-ENOSPC", operation: "file.write" })
    await expect(writeTwice(full)).rejects.toMatchObject({ code: "ENOSPC" })
    expect(await readFile(path, "utf8")).toBe("01234")
  })

  it("lets nothing reach the disk after a crash", async () => {
    const faulty = new FaultFs(real, { fault: "torn-crash", operation: "file.write" })
    await expect(writeTwice(faulty)).rejects.toThrow(CrashError)
    await expect(writeTwice(faulty)).rejects.toThrow(CrashError)
    expect(await readFile(path, "utf8")).toBe("01234")
  })

  it("is met once at each call, and names the one that a scenario fails at", async () => {
    const kinds: FaultKind[] = ["EIO", "crash"]
    const met: string[] = []
    const count = await forEachFault(kinds, async ({ inject, plan }) => {
      const faulty = inject(real)
      faulty.arm()
      await writeTwice(faulty).catch(() => undefined)
      met.push(`${plan.fault} ${faulty.hit}`)
    })
    expect(count).toBe(8)
    expect(
      await forEachFault(["short", "torn-crash"], async ({ inject }) => {
        const faulty = inject(real)
        faulty.arm()
        await writeTwice(faulty).catch(() => undefined)
      }),
    ).toBe(4)
    expect(met.slice(0, 5)).toEqual(["EIO open", "EIO file.write", "EIO file.write", "EIO file.close", "EIO undefined"])
    const failing = forEachFault(kinds, async ({ inject }) => {
      const faulty = inject(real)
      faulty.arm()
      await writeTwice(faulty)
    })
    await expect(failing).rejects.toThrow("With EIO at call 1 (open): EIO: injected, open")
  })
})
