import { isTreelogError } from "@treelog/session-core"
import { relocateSession } from "@treelog/session-core/maintenance"
import { sleep, startChild } from "../children.js"
import type { FaultTest } from "../fault-test.js"
import { managerIn, soundness } from "../store.js"

/** One process opens a session by its id and appends, while another one moves it to and fro. */
export const movedWhileOpened: FaultTest = {
  name: "moved-while-opened",
  promise:
    "A session that is moved while another process opens it keeps every acknowledged entry, and no other session is made.",
  counts: { short: 40, long: 1_000 },
  async run({ count, folder, program, progress, findings }) {
    const manager = managerIn(folder)
    const first = await manager.create("/torture/0", { persist: "create", id: "moved" })
    await first.close()
    const child = startChild(program("append-by-id"), [folder, "moved", String(count)])
    const ended = child.done().then(() => true)
    for (let move = 1; !(await Promise.race([ended, sleep(1).then(() => false)])); move++) {
      try {
        await relocateSession(manager, { id: "moved" }, `/torture/${move % 2}`)
        findings.count("moves")
      } catch (error) {
        if (!isTreelogError(error, "SessionBusyError")) throw error
        findings.count("moves refused")
      }
    }
    const paths: string[] = []
    for await (const { path } of manager.listAll()) paths.push(path)
    findings.expect(paths.length === 1, () => `${paths.length} sessions are stored: ${paths.join(", ")}`)
    findings.expectStored("all", await soundness(manager, await manager.resolve({ id: "moved" })), child.lines)
    findings.expect(child.lines.length > 0, () => "nothing was acknowledged")
    progress(count)
  },
}
