import { copyFile, stat, truncate } from "node:fs/promises"
import { join } from "node:path"
import type { FaultTest } from "../fault-test.js"
import { managerIn, say, soundness } from "../store.js"

const ENTRIES = 200

/** Cuts a session at every byte of its last two entries, or at as many of them as are asked for. */
export const truncation: FaultTest = {
  name: "truncation",
  promise:
    "A file of 200 entries, cut at any byte of its last two, opens with all earlier entries, and takes the next one.",
  counts: { short: 40, long: 10_000 },
  async run({ folder, count, progress, findings }) {
    const manager = managerIn(folder)
    const session = await manager.create("/torture")
    for (let index = 0; index < ENTRIES; index++) say(session, `message ${index} \u4f1a\u8bdd`)
    await session.close()
    const key = session.getSessionFile() ?? ""
    const whole = session.getEntries()
    const { size } = await stat(key)
    const lastTwo = whole.slice(-2).reduce((sum, entry) => sum + Buffer.byteLength(JSON.stringify(entry)) + 1, 0)
    let tried = 0
    const step = Math.ceil(lastTwo / count)
    for (let cut = size - lastTwo; cut < size; cut += step) {
      const copy = join(folder, `cut-${cut}.jsonl`)
      await copyFile(key, copy)
      await truncate(copy, cut)
      const before = await manager.open(copy, { access: "read" })
      const left = before.getEntries()
      findings.expect(left.length >= ENTRIES - 2, () => `cut at ${cut}: only ${left.length} entries are left`)
      findings.expect(
        JSON.stringify(left) === JSON.stringify(whole.slice(0, left.length)),
        () => `cut at ${cut}: an entry changed`,
      )
      const opened = await manager.open(copy, { persist: "unsynced" })
      const id = say(opened, "next")
      await opened.close()
      const { entries } = await soundness(manager, copy)
      const next = entries.at(-1)
      findings.expect(next?.id === id, () => `cut at ${cut}: the next entry cannot be read`)
      findings.expect(next?.parentId === left.at(-1)?.id, () => `cut at ${cut}: the next entry has another parent`)
      findings.count(`${ENTRIES - left.length} entries lost to the cut`)
      progress(++tried)
    }
    return tried
  },
}
