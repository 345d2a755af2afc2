import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import { type Change, movedInLines } from "@treelog-internal/agent-files/owner"
import { nodeFs } from "@treelog-internal/agent-files/write"
import { afterEach } from "vitest"

const folders: string[] = []
const FOLDERS = { from: "/a/shop", to: "/b/store" }
export const LINES =
  '{"cwd":"/a/shop","said":"in /a/shop"}\n{"n":1.50,"cwd":"/a/shop/sub"}\n{"cwd":"/a/shopping"}\n{"cwd":"/a/sh'

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder of an agent with two files and a folder, the changes of a move, and what is in it. */
export function ownedFiles() {
  const root = mkdtempSync(join(tmpdir(), "treelog-owner-"))
  folders.push(root)
  const [agent, journals] = [join(root, "agent"), join(root, "journals")]
  mkdirSync(join(agent, "old", "one"), { recursive: true })
  writeFileSync(join(agent, "old", "one.jsonl"), LINES)
  writeFileSync(join(agent, "old", "one", "result.txt"), "result")
  utimesSync(join(agent, "old", "one.jsonl"), 1_000, 1_000)
  const edit = movedInLines([["cwd"]], FOLDERS)
  const changes: Change[] = [
    { kind: "rewrite", path: join(agent, "old", "one.jsonl"), edit },
    { kind: "move", from: join(agent, "old", "one.jsonl"), to: join(agent, "new", "one.jsonl") },
    { kind: "move", from: join(agent, "old", "one"), to: join(agent, "new", "one") },
  ]
  const state = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(agent, { recursive: true, encoding: "utf8" })
        .filter((name) => statSync(join(agent, name)).isFile())
        .sort()
        .map((name) => [name, readFileSync(join(agent, name), "utf8")]),
    )
  return { agent, changes, state, options: { fs: nodeFs, journals, loadDriver } }
}
