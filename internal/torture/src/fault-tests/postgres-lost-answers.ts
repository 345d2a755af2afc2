import { Random } from "@treelog-internal/test-kit/generator"
import { losingProxy } from "@treelog-internal/test-kit/postgres/server"
import { acknowledged } from "../acknowledged.js"
import { type FaultTest, Findings } from "../fault-test.js"
import { startServer } from "../postgres.js"
import { say, soundness } from "../store.js"

/** Loses answers of the server on their way. */
export const postgresLostAnswers: FaultTest = {
  name: "postgres-lost-answers",
  promise: "Where one in eight answers of PostgreSQL is lost, every acknowledged entry is stored once, in order.",
  counts: { short: 40, long: 2_000 },
  async run({ count, seed, progress }) {
    const findings = new Findings()
    const random = new Random(seed)
    const server = await startServer()
    let isLosing = false
    const proxy = await losingProxy(server.server.port, () => isLosing && random.chance(1 / 8))
    try {
      for (const access of ["exclusive", "shared"] as const) {
        const losing = server.manager({ port: proxy.port, leaseMs: 500 })
        const session = await losing.create(
          "/torture",
          access === "shared" ? { access, busyTimeoutMs: 300_000 } : { access },
        )
        isLosing = true
        const written: string[] = []
        for (let turn = 0; turn < count / 2; turn++) {
          written.push(say(session, `${turn}`))
          await acknowledged(session, () => findings.count("appends that failed, and were tried again"))
          progress(turn + 1)
        }
        isLosing = false
        await session.close()
        const { faults, entries } = await soundness(server.manager(), session.getSessionFile() ?? "")
        for (const fault of faults) findings.broken.push(`${access}: ${fault}`)
        const ids = entries.map(({ id }) => id)
        findings.expect(ids.join() === written.join(), () => `${access}: ${ids.length} entries, not ${written.length}`)
      }
    } finally {
      proxy.close()
      await server.stop()
    }
    findings.expect(
      (findings.figures["appends that failed, and were tried again"] ?? 0) > 0,
      () => "no answer was lost",
    )
    return { tried: count, ...findings }
  },
}
