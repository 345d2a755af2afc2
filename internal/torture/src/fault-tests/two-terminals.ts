import { isTreelogError } from "@treelog/session-core"
import { moveSession } from "@treelog/session-core/maintenance"
import { sleep, startChild } from "../children.js"
import type { FaultTest } from "../fault-test.js"
import { managerIn, soundness } from "../store.js"

/** One process appends while another rewrites the whole file again and again. */
export const twoTerminals: FaultTest = {
  name: "two-terminals",
  promise: "A session that is rewritten while another process appends keeps every acknowledged entry, once.",
  counts: { short: 10, long: 400 },
  async run({ count, folder, program, progress, findings }) {
    const manager = managerIn(folder)
    const first = await manager.create("/torture", { persist: "create", id: "two" })
    await first.close()
    const key = first.getSessionFile() ?? ""
    const child = startChild(program("append-shared"), [folder, key, String(count), "appender"])
    const ended = child.done().then(() => true)
    while (!(await Promise.race([ended, sleep(1).then(() => false)]))) await rewrite()
    const ids = findings.expectStored("all", await soundness(manager, key), child.lines)
    findings.expect(ids.length === count, () => `${ids.length} entries instead of ${count}`)
    progress(count)

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
