import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { cp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { testClock, testIds } from "@treelog-internal/test-kit"
import { HOME, openAgentStore } from "./agent-store.js"
import { filesBelow } from "./files-below.js"
import { readRelease } from "./read-release.js"
import { writeHistory } from "./write-history.js"
import { writeSessions } from "./write-sessions.js"
import { writeTrash } from "./write-trash.js"

/**
 * Writes an agent's folder with one of each thing that treelog writes, and beside it `expected.json`: what is read in it.
 * Writes the same bytes each time: with a test clock and test ids, and with paths replaced by those of a fixed home.
 */
export async function writeRelease(target: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "treelog-releases-"))
  try {
    const agent = join(folder, "agent")
    const clock = testClock()
    const store = openAgentStore(agent, { clock, ids: testIds() })
    await writeSessions(store, clock)
    await writeHistory(store.history)
    await writeTrash(store, clock)
    tellHome(agent)
    rmSync(target, { recursive: true, force: true })
    await cp(agent, join(target, "agent"), { recursive: true })
    // Reading the history may touch its file: what is read is the copy that goes away.
    const expected = await readRelease(agent)
    writeFileSync(join(target, "expected.json"), `${JSON.stringify(expected, null, 1)}\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function tellHome(agent: string): void {
  for (const path of filesBelow(agent)) {
    const file = join(agent, path)
    const bytes = readFileSync(file)
    // Byte for byte: what is no UTF-8 stays what it is.
    const replaced = bytes.toString("latin1").replaceAll(agent, `${HOME}/.treelog/agent`)
    if (replaced.length !== bytes.length) writeFileSync(file, replaced, "latin1")
  }
}
