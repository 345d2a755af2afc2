import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { discard, nodeFs, placeNew, renameNew, TemporaryFiles } from "@treelog-internal/fs"
import { CrashError, FaultFs, type FaultKind } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, onTestFinished, test } from "vitest"

/** A folder with a finished temporary file in it, and a free name. */
async function scene(): Promise<{ folder: string; temp: string; path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "treelog-fs-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [temp, path] = [join(folder, "file.tmp"), join(folder, "file")]
  writeFileSync(temp, "new")
  return { folder, temp, path }
}

/** A file system without hard links. */
const noLinks = new FaultFs(nodeFs, { fault: "EPERM", operation: "linkSync", times: Number.MAX_SAFE_INTEGER }).fs

describe.each([
  ["with hard links", nodeFs],
  ["without hard links", noLinks],
])("%s", (_, fs) => {
  test("a finished file gets a free name", async () => {
    const { temp, path } = await scene()
    expect(placeNew(fs, temp, path)).toBe(true)
    expect(readFileSync(path, "utf8")).toBe("new")
  })

  test("a taken name is left as it is", async () => {
    const { temp, path } = await scene()
    writeFileSync(path, "old")
    expect(placeNew(fs, temp, path)).toBe(false)
    expect(await renameNew(fs, temp, path)).toBe(false)
    expect([readFileSync(path, "utf8"), readFileSync(temp, "utf8")]).toEqual(["old", "new"])
  })

  test.each<FaultKind>(["EIO", "crash"])("no fault (%s) leaves a part under the name", async (fault) => {
    for (let at = 1; ; at++) {
      const { temp, path } = await scene()
      const faulty = new FaultFs(fs, { fault, at })
      const outcome = outcomeOf(() => placeNew(faulty.fs, temp, path))
      // A reservation of a crash is an empty file; what is not empty is complete.
      if (existsSync(path)) expect(["", "new"]).toContain(readFileSync(path, "utf8"))
      if (outcome === true) expect(readFileSync(path, "utf8")).toBe("new")
      else
        expect(outcome).toSatisfy((error) => error instanceof CrashError || (error as { code: string }).code === "EIO")
      if (faulty.hit === undefined) return
    }
  })
})

test("A name is given back when the rename behind its reservation fails.", async () => {
  const { temp, path } = await scene()
  const { fs } = new FaultFs(nodeFs, { fault: "EIO", operation: "rename" })
  await expect(renameNew(fs, temp, path)).rejects.toMatchObject({ code: "EIO" })
  expect(existsSync(path)).toBe(false)
})

test("A link that was made, but reported as failed, counts as made.", async () => {
  const { temp, path } = await scene()
  const { fs } = new FaultFs(nodeFs, { fault: "EIO", operation: "linkSync", late: true })
  expect(placeNew(fs, temp, path)).toBe(true)
})

test("A temporary file that cannot be removed is remembered, and removed later.", async () => {
  const { folder, temp } = await scene()
  const { fs } = new FaultFs(nodeFs, { fault: "EIO", operation: "unlinkSync" })
  const files = new TemporaryFiles(fs)
  files.discard(temp)
  expect(await readdir(folder)).toEqual(["file.tmp"])
  files.removeAll()
  expect(await readdir(folder)).toEqual([])
  files.removeAll()
})

test("Discarding fails for no error of the system, and for every other one.", async () => {
  const { temp } = await scene()
  discard(new FaultFs(nodeFs, { fault: "EIO", operation: "unlinkSync" }).fs, temp)
  discard(nodeFs, `${temp}.gone`)
  const unlinkSync = () => {
    throw new TypeError("no error of the system")
  }
  expect(() => discard({ ...nodeFs, unlinkSync }, temp)).toThrow(TypeError)
})

function outcomeOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
