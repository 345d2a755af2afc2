import { Random } from "@treelog-internal/test-kit/generator"
import { losingProxy } from "@treelog-internal/test-kit/postgres/server"
import { acknowledged } from "../acknowledged.js"
import type { FaultTest } from "../fault-test.js"
import { say, soundness } from "../store.js"

/** Loses answers of the server on their way. */
export const postgresLostAnswers: FaultTest = {
  name: "postgres-lost-answers",
  promise: "Where one in eight answers of PostgreSQL is lost, every acknowledged entry is stored once, in order.",
  counts: { short: 40, long: 2_000 },
  async run({ count, seed, startServer, progress, findings }) {
    const random = new Random(seed)
    const server = await startServer()
    const failed = "appends that failed, and were tried again"
    let isLosing = false
    const proxy = await losingProxy(server.server.port, () => isLosing && random.chance(1 / 8))
    try {
      for (const access of ["exclusive", "shared"] as const) {
        const losing = server.manager({ port: proxy.port, leaseMs: 500 })
        const options = access === "shared" ? { access, busyTimeoutMs: 300_000 } : { access }
        const session = await losing.create("/torture", options)
        isLosing = true
        const written: string[] = []
        for (let turn = 0; turn < count / 2; turn++) {
          written.push(say(session, `${turn}`))
          await acknowledged(session, () => findings.count(failed))
          progress(turn + 1)
        }
        isLosing = false
        await session.close()
        const found = await soundness(server.manager(), session.getSessionFile() ?? "")
        const ids = findings.expectStored(access, found, written)
        findings.expect(ids.join() === written.join(), () => `${access}: ${ids.length} entries, not ${written.length}`)
      }
    } finally {
      proxy.close()
    }
    findings.expect((findings.figures[failed] ?? 0) > 0, () => "no answer was lost")
  },
}
