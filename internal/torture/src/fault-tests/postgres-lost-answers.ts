import { connect as connectTo, createServer, type Socket } from "node:net"
import { Random } from "@treelog-internal/test-kit/generator"
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
          access === "shared" ? { access, busyTimeoutMs: 60_000 } : { access },
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

/** A proxy that closes a connection instead of passing an answer on: the server has done what was asked. */
async function losingProxy(serverPort: number, loses: () => boolean) {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connectTo(serverPort, "127.0.0.1")
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    upstream.on("data", (data) => (loses() ? client.destroy() : client.write(data)))
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const address = proxy.address()
  if (typeof address !== "object" || !address) throw new Error("The proxy has no port.")
  const close = () => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  }
  return { port: address.port, close }
}
