import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

const COMMANDS: readonly (readonly string[])[] = [
  ["search", "needle"],
  ["files", "src/a.ts"],
  ["stats", "--by", "day"],
  ["index"],
  ["index", "--update"],
]

/** A store whose index is built. @returns its path */
async function indexed(box: Sandbox): Promise<string> {
  box.store([userEntry("one", null, "needle")], { id: "first" })
  await box.run(["index", "--update"])
  const [status] = (await box.run(["index", "--json"])).json
  const path = String(status?.path)
  for (const file of [`${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
  return path
}

describe.each(COMMANDS)("%s %s", (...argv) => {
  test("1: names the index where a folder stands in its place", async () => {
    const box = sandbox()
    const path = await indexed(box)
    rmSync(path)
    mkdirSync(path)
    const { code, stderr } = await box.run(argv)
    expect(code).toBe(1)
    expect(stderr).toContain(path)
    expect(stderr).not.toContain("unexpected")
  })

  // Root may read every file.
  test.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "names the index where it may not be read: 1 for commands of the index, and the others go without",
    async () => {
      const box = sandbox()
      const path = await indexed(box)
      chmodSync(path, 0o000)
      const { code, stderr } = await box.run(argv)
      expect(code).toBe(argv[0] === "index" || argv[0] === "files" ? 1 : 0)
      expect(stderr).toContain(path)
      expect(stderr).not.toContain("unexpected")
    },
  )

  test("deletes an index that is garbage, and goes on with a new one", async () => {
    const box = sandbox()
    const path = await indexed(box)
    writeFileSync(path, "no database at all, but long enough to be taken for one".repeat(100))
    const { code, stderr } = await box.run(argv)
    // Nothing is indexed yet in the new one.
    expect(code).toBe(argv[0] === "files" ? 1 : 0)
    expect(stderr).toContain("was damaged, and is built again")
    expect(await box.run(["search", "needle"])).toMatchObject({ code: 0, stdout: expect.stringContaining("first") })
  })
})
