import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { nodeFs } from "@treelog/storage-fs"
import { keepSessions } from "@treelog/stores"
import { claudeFile } from "@treelog-internal/test-kit"
import { type FaultKind, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { expect, test } from "vitest"
import { type Sandbox, sandbox } from "../sandbox.js"

const FAULTS: FaultKind[] = ["EIO", "ENOSPC", "short-ENOSPC", "crash"]

const pathOf = (number: number, project = "-shop"): string =>
  `.claude/projects/${project}/aaaaaaaa-0000-4000-8000-00000000000${number}.jsonl`

/** A home whose sessions were kept, and were then appended to, rewritten, deleted and renamed; one is new. */
async function changedHome() {
  const box = sandbox()
  const write = (number: number, ...texts: string[]): string =>
    box.write(pathOf(number), claudeFile(`aaaaaaaa-0000-4000-8000-00000000000${number}`, "/shop", ...texts))
  write(1, "walnut")
  write(2, "cedar", "birch")
  write(3, "larch")
  write(4, "maple")
  const options = { env: { HOME: box.folder }, cwd: box.folder, stores: ["claude-code"] }
  await keepSessions(options)
  write(1, "walnut", "aspen")
  write(2, "rowan")
  rmSync(join(box.folder, pathOf(3)))
  box.write(pathOf(5, "-store"), "")
  renameSync(join(box.folder, pathOf(4)), join(box.folder, pathOf(4, "-store")))
  write(6, "hazel")
  return { box, options }
}

const BEFORE = ["walnut", "cedar", "birch", "larch", "maple"]
const AFTERWARDS = [...BEFORE, "aspen", "rowan", "hazel"]

/** Which of some texts no copy has. */
function missing(box: Sandbox, texts: readonly string[]): string[] {
  const root = join(box.folder, ".treelog/agent/kept/claude-code")
  const all = ["files", "former-1", "former-2"].flatMap((folder) => {
    if (!existsSync(join(root, folder))) return []
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
  })
  return texts.filter((text) => !all.some((content) => content.includes(text)))
}

test("no copy is lost wherever the disk fails, and the next run has all that the agent has", async () => {
  const count = await forEachFault(FAULTS, async (run) => {
    const { box, options } = await changedHome()
    const faulty = run.inject(nodeFs)
    faulty.arm()
    const outcome = await keepSessions({ ...options, fs: faulty.fs }).catch((error: unknown) => error)
    faulty.disarm()
    const isCrash = run.plan.fault.endsWith("crash")
    if (outcome instanceof Error && !isCrash)
      expect(isTreelogError(outcome, "StorageError"), String(outcome)).toBe(true)
    expect(missing(box, BEFORE)).toEqual([])
    const isDone = !(outcome instanceof Error) && (outcome as { failed: number }).failed === 0
    if (isDone) expect(missing(box, AFTERWARDS)).toEqual([])
    const { failed } = await keepSessions(options)
    expect([failed, missing(box, AFTERWARDS)]).toEqual([0, []])
    for (const path of [pathOf(1), pathOf(2), pathOf(4, "-store"), pathOf(6)]) {
      const copy = join(box.folder, ".treelog/agent/kept/claude-code/files", path.slice(".claude/".length))
      expect(readFileSync(copy).equals(readFileSync(join(box.folder, path)))).toBe(true)
    }
  })
  expect(count).toBeGreaterThan(100)
})
