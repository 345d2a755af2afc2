// Appends to a session in PostgreSQL for ever, and prints each entry's id when, and only when, it was acknowledged by a flush.
import { writeSync } from "node:fs"
import { acknowledged } from "../acknowledged.js"
import { connect } from "../postgres.js"
import { say } from "../store.js"

const [server = "", key = "", access = "", leaseMs = "", size = "100"] = process.argv.slice(2)
const { manager } = connect(JSON.parse(server), { leaseMs: Number(leaseMs) })
const session = await manager.open(
  key,
  access === "shared" ? { access, busyTimeoutMs: 300_000 } : { access: "exclusive" },
)
for (let turn = 0; ; turn++) {
  const ids = Array.from({ length: 1 + (turn % 4) }, (_, index) =>
    say(session, `${turn}.${index} ${"x".repeat((turn * 7919) % Number(size))}`),
  )
  await acknowledged(session, () => {})
  writeSync(1, `${ids.join("\n")}\n`)
}
