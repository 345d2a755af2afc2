import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { entry, messageEntry, sessionText, TEST_START, testHeader, userMessage } from "@treelog-internal/test-kit"
import { onTestFinished } from "vitest"
import type { Sandbox, World } from "./sandbox.js"

export const DAY = 86_400_000
/** The present of these tests: a hundred days after the first session. */
export const PRESENT = TEST_START + 100 * DAY
export const NOW: World = { now: () => PRESENT }

/** Stores a session in which something was said so many days ago. */
export function storeAged(
  box: Sandbox,
  id: string,
  days: number,
  more: { name?: string; label?: string; cwd?: string } = {},
): string {
  const timestamp = new Date(PRESENT - days * DAY).toISOString()
  const said = messageEntry("said", null, { ...userMessage(`Session ${id}`), timestamp: PRESENT - days * DAY })
  const named = more.name === undefined ? [] : [entry("session_info", "named", "said", { name: more.name })]
  const labelled =
    more.label === undefined ? [] : [entry("label", "labelled", "said", { targetId: "said", label: more.label })]
  const { cwd = box.project } = more
  const bucket = `--${cwd.slice(1).replaceAll("/", "-")}--`
  const text = sessionText(testHeader({ id, timestamp, cwd }), said, ...named, ...labelled)
  return box.write(`agent/sessions/${bucket}/2026-03-07T14-00-00-000Z_${id}.jsonl`, text)
}

/** The names, inodes, times and hashes of all files in the store, but for those in a trash. */
export function fingerprint(box: Sandbox): string[] {
  return readdirSync(box.agentDir, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.includes(".trash") && !name.startsWith("terminal-sessions"))
    .sort()
    .flatMap((name) => {
      const path = join(box.agentDir, name)
      const stat = statSync(path)
      if (!stat.isFile()) return []
      return `${name} ${stat.ino} ${stat.mtimeMs} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`
    })
}

/** The ids of the sessions that are listed. */
export async function listedIds(box: Sandbox): Promise<string[]> {
  return (await box.run(["list", "--all", "--json"])).json.map(({ id }) => String(id)).sort()
}

/** Someone else writes the session until the test ends. */
export async function hold(box: Sandbox, path: string): Promise<void> {
  const storage = new FileSessionStorage({ agentDir: box.agentDir, env: {}, terminalId: "test" })
  const session = await new SessionManager({ anyFile: true, storage }).open(path)
  onTestFinished(() => session.close())
}
