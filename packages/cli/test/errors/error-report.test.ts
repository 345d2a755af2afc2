import { mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { faultOf } from "../door.js"

function thrownBy(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error
  }
}

it("reports what the file system refuses as an error of storage, and other errors of the program as unexpected", () => {
  const folder = mkdtempSync(join(tmpdir(), "treelog-refused-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const loop = join(folder, "loop")
  symlinkSync("loop", loop)
  const long = join(folder, "x".repeat(300))
  expect(faultOf(thrownBy(() => statSync(loop)))).toEqual({
    code: "StorageError",
    message: `Cannot stat ${loop}: ELOOP`,
    data: { key: loop, operation: "stat", errno: "ELOOP" },
  })
  expect(faultOf(thrownBy(() => statSync(long))).message).toBe(`Cannot stat ${long}: ENAMETOOLONG`)
  expect(faultOf(new TypeError("id is undefined")).code).toBe("InternalError")
})
