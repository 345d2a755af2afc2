// Appends to a session until it is killed, and prints each entry's id when the append has returned: with treelog's session manager for pi,
// or with that of the module that is named.

import { writeSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { SessionManager } from "@treelog/pi"

const [path = "", module = ""] = process.argv.slice(2)
const Managers: typeof SessionManager = module === "" ? SessionManager : (await import(module)).SessionManager
const manager = Managers.open(path)
for (let turn = 0; ; turn++) {
  for (let index = 0; index <= turn % 4; index++) {
    const content = `${process.pid} ${turn}.${index} ${"x".repeat((turn * 7919) % 5_000)}`
    writeSync(1, `${manager.appendMessage({ role: "user", content, timestamp: turn })}\n`)
  }
  await delay(turn % 3)
}
