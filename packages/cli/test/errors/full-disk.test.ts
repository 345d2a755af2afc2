import { spawnSync } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs"
import { dirname, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { claudeFile, userEntry } from "@treelog-internal/test-kit"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

afterEach(() => {
  vi.restoreAllMocks()
})

/** Text that reports a user to call a method. */
const API_CALL = /\b[a-z]\w*\(\)/

test.each(["ENOSPC", "EDQUOT"])(
  "A command that finds no space (%s) names the commands that free some.",
  async (errno) => {
    const box = sandbox()
    const cause = new TreelogError("StorageError", `Cannot lease it: ${errno}`, {
      key: "it",
      operation: "lease",
      errno,
    })
    vi.spyOn(FileSessionStorage.prototype, "leaseSync").mockImplementation(() => {
      throw cause
    })
    for (const json of [[], ["--json"]]) {
      const { code, stderr } = await box.run(["new", ...json])
      expect(code).toBe(1)
      expect(stderr).toContain(`Cannot lease it: ${errno}. Run the command again`)
      expect(stderr).not.toMatch(API_CALL)
      if (json.length === 0) expect(stderr).toContain("`treelog trash empty --apply`")
    }
  },
)

test("A command that finds no entry names the command that lists them.", async () => {
  const box = sandbox()
  const key = box.store([userEntry("a", null, "Hi")])
  for (const argv of [
    ["context", key, "--leaf", "zzzz"],
    ["branch", key, "zzzz"],
    ["label", key, "zzzz", "x"],
  ]) {
    const { code, stderr } = await box.run(argv)
    expect({ argv, code }).toEqual({ argv, code: 3 })
    expect(stderr).not.toMatch(API_CALL)
  }
})

/** A disk of 256 KB; undefined where none can be mounted. */
function smallDisk(box: Sandbox): { fill(): void } | undefined {
  mkdirSync(box.agentDir)
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", box.agentDir]).status !== 0) return undefined
  onTestFinished(() => {
    spawnSync("umount", [box.agentDir])
  })
  return { fill: () => fillUp(join(box.agentDir, "filler")) }
}

function fillUp(filler: string): void {
  const block = Buffer.alloc(4096)
  for (;;) {
    try {
      appendFileSync(filler, block)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOSPC") return
      throw error
    }
  }
}

test("on a disk that is mounted for reading only, commands read and search, and say why they cannot write", async (context) => {
  const box = sandbox()
  box.write(`.claude/projects/-shop/a.jsonl`, claudeFile("a", box.project, "Find the walnut"))
  const isMounted = (...args: string[]): boolean => spawnSync("mount", args).status === 0
  if (!isMounted("--bind", box.folder, box.folder)) context.skip("nothing can be mounted here: that takes root")
  onTestFinished(() => {
    spawnSync("umount", [box.folder])
  })
  expect(isMounted("-o", "remount,bind,ro", box.folder)).toBe(true)
  expect(await box.print("list", "--all")).toContain("Find the walnut")
  const env = { TREELOG_CACHE_DIR: join(box.folder, "cache") }
  expect((await box.run(["search", "walnut", "--all"], { env })).stdout).toContain("walnut")
  const refused = await box.run(["new"])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain("EROFS")
  expect(refused.stderr).toContain("The file system is mounted for reading only")
})

describe("on a real disk that is full", () => {
  test("new fails, delete and trash empty work, and then there is space again", async (context) => {
    const box = sandbox()
    const disk = smallDisk(box)
    if (!disk) context.skip("a small disk cannot be mounted here: that takes root")
    const keys = ["one", "two"].map((id) => box.store([userEntry("a", null, "x".repeat(30_000))], { id }))
    disk?.fill()
    const refused = await box.run(["new"])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain("ENOSPC")
    expect(refused.stderr).not.toMatch(API_CALL)
    expect(await box.print("delete", "one")).toBe(keys[0])
    disk?.fill()
    expect((await box.run(["trash", "empty", "--apply"])).code).toBe(0)
    expect(existsSync(join(dirname(keys[0] ?? ""), ".trash"))).toBe(false)
    await box.print("new")
    truncateSync(join(box.agentDir, "filler"), 0)
    expect(await box.print("delete", "two")).toBe(keys[1])
  })

  test("keep says once that it is full, and completes the copies when it is not", async (context) => {
    const box = sandbox()
    if (!smallDisk(box)) context.skip("a small disk cannot be mounted here: that takes root")
    const names = Array.from({ length: 30 }, (_, index) => `00000000-0000-4000-8000-0000000000${index + 10}`)
    const paths = names.map((id) =>
      box.write(`.claude/projects/-shop/${id}.jsonl`, claudeFile(id, box.project, "x".repeat(20_000))),
    )
    const refused = await box.run(["keep"])
    expect(refused.code).toBe(1)
    expect(
      refused.stderr.match(/No space is left in \S+: what does not fit is kept when there is some\./g),
    ).toHaveLength(1)
    expect(refused.stderr).not.toMatch(API_CALL)
    expect(spawnSync("mount", ["-o", "remount,size=4m", box.agentDir]).status).toBe(0)
    expect((await box.run(["keep"])).code).toBe(0)
    for (const [index, path] of paths.entries()) {
      const copy = join(box.agentDir, "kept/claude-code/files/projects/-shop", `${names[index]}.jsonl`)
      expect(readFileSync(copy).equals(readFileSync(path))).toBe(true)
    }
  })
})
