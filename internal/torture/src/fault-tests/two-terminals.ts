import { isTreelogError } from "@treelog/session-core"
import { moveSession } from "@treelog/session-core/maintenance"
import { sleep, startChild } from "../children.js"
import { type FaultTest, Findings } from "../fault-test.js"
import { managerIn, soundness } from "../store.js"

/** One process appends while another rewrites the whole file again and again. */
export const twoTerminals: FaultTest = {
  name: "two-terminals",
  promise: "A session that is rewritten while another process appends keeps every acknowledged entry, once.",
  counts: { short: 10, long: 400 },
  async run({ count, folder, programs, progress }) {
    const findings = new Findings()
    const manager = managerIn(folder)
    const first = await manager.create("/torture", { persist: "create", id: "two" })
    await first.close()
    const key = first.getSessionFile() ?? ""
    const child = startChild(programs.path("append-shared"), [folder, key, String(count), "appender"])
    const ended = child.done().then(() => true)
    while (!(await Promise.race([ended, sleep(1).then(() => false)]))) await rewrite()
    const { faults, entries } = await soundness(manager, key)
    findings.broken.push(...faults)
    const ids = entries.map(({ id }) => id)
    findings.expect(new Set(ids).size === ids.length, () => "an entry is there twice")
    const lost = child.lines.filter((id) => !ids.includes(id))
    findings.expect(lost.length === 0, () => `${lost.length} acknowledged entries are lost`)
    findings.expect(ids.length === count, () => `${ids.length} entries instead of ${count}`)
    progress(count)
    return { tried: count, ...findings }

    async function rewrite(): Promise<void> {
      try {
        await moveSession(manager, key, "/torture")
        findings.count("rewrites")
      } catch (error) {
        if (!isTreelogError(error, "SessionBusyError") && !isTreelogError(error, "SessionChangedError")) throw error
        findings.count("rewrites refused")
      }
    }
  },
}
