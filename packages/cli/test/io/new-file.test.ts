import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { nodeFs } from "@treelog-internal/fs"
import { FaultFs } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, onTestFinished, test } from "vitest"
import { beginFile } from "../door.js"

function freePath(): string {
  const folder = mkdtempSync(join(tmpdir(), "treelog-new-file-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, "export.md")
}

async function write(
  path: string,
  force: boolean,
  plan?: ConstructorParameters<typeof FaultFs>[1],
): Promise<FaultFs<typeof nodeFs>> {
  const faulty = new FaultFs(nodeFs, plan)
  const file = await beginFile(path, force, faulty.fs)
  try {
    await file.write("one ")
    await file.write(Buffer.from("two"))
    await file.finish()
  } catch (error) {
    faulty.disarm()
    await file.discard()
    throw error
  }
  return faulty
}

describe.each([false, true])("with force %s", (force) => {
  test("every fault leaves the old file or the whole new one, and no temporary file", async () => {
    for (let at = 1; ; at++) {
      const path = freePath()
      if (force) writeFileSync(path, "old")
      const outcome = await write(path, force, { fault: "EIO", at }).catch((error: unknown) => error)
      if (!(outcome instanceof FaultFs)) expect(outcome).toMatchObject({ code: "StorageError", data: { errno: "EIO" } })
      const found = existsSync(path) ? readFileSync(path, "utf8") : undefined
      expect([force ? "old" : undefined, "one two"]).toContain(found)
      if (outcome instanceof FaultFs) expect(found).toBe("one two")
      if (outcome instanceof FaultFs && outcome.hit === undefined) {
        expect(readdirSync(join(path, ".."))).toEqual(["export.md"])
        return
      }
    }
  })

  test("short writes and a file system without links are no fault", async () => {
    for (const plan of [
      { fault: "short", operation: "file.write" },
      { fault: "EPERM", operation: "link" },
    ] as const) {
      const path = freePath()
      await write(path, force, plan)
      expect(readFileSync(path, "utf8")).toBe("one two")
      expect(readdirSync(join(path, ".."))).toEqual(["export.md"])
    }
  })
})

test("A file that appears meanwhile is not replaced.", async () => {
  const path = freePath()
  const file = await beginFile(path, false)
  writeFileSync(path, "theirs")
  await file.write("ours")
  await expect(file.finish()).rejects.toMatchObject({ code: "UsageError" })
  await file.discard()
  expect(readFileSync(path, "utf8")).toBe("theirs")
  expect(readdirSync(join(path, ".."))).toEqual(["export.md"])
})
