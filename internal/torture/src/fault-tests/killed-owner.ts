import { join } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { startChild } from "../children.js"
import type { FaultTest } from "../fault-test.js"
import { managerIn, say } from "../store.js"

/** A process holds a session, and is killed. */
export const killedOwner: FaultTest = {
  name: "killed-owner",
  promise:
    "The second process that opens a session gets an error with the holder; when that is killed, the next one gets the session at once.",
  counts: { short: 1, long: 50 },
  async run({ count, folder, program, progress, findings }) {
    const manager = managerIn(folder)
    let slowest = 0
    for (let tried = 0; tried < count; tried++) {
      const key = join(folder, "sessions", "--torture--", `2026-03-02T09-00-00-000Z_held-${tried}.jsonl`)
      const owner = startChild(program("hold"), [folder, key])
      await owner.nextLine()
      const asked = performance.now()
      const refusal: unknown = await manager.open(key).catch((error: unknown) => error)
      slowest = Math.max(slowest, performance.now() - asked)
      const named =
        isTreelogError(refusal, "SessionBusyError") &&
        refusal.data.pid === owner.process.pid &&
        refusal.data.host !== "" &&
        refusal.data.since !== ""
      findings.expect(named, () => `try ${tried}: the refusal does not name its holder: ${String(refusal)}`)
      await owner.kill()
      const session = await manager.open(key)
      say(session, "taken over")
      await session.close()
      findings.expect(
        session.getEntries().length === 2,
        () => `try ${tried}: ${session.getEntries().length} entries instead of 2`,
      )
      progress(tried + 1)
    }
    findings.count("slowest refusal, ms", Math.ceil(slowest))
  },
}
