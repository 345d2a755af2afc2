import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { isTreelogError, SessionManager } from "@treelog/session-core"
import type { Lease } from "@treelog/session-core/adapter"
import { openSync } from "@treelog/session-core/sync"
import { FileSessionStorage } from "@treelog/storage-fs"

// What the tests let other processes do; each takes its orders from the command line and reports by messages.

const [task = "", agentDir = "", key = "", times = "1", name = String(process.pid)] = process.argv.slice(2)
const witness = `${agentDir}/witness`
const storage = new FileSessionStorage({ agentDir })
const tell = (message: string) => new Promise<void>((resolve) => process.send?.(message, () => resolve()))

/** Takes the session, says so, and holds it until it is killed. */
async function hold(): Promise<void> {
  await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await tell("held")
  await delay(60_000)
}

/** Takes the session once, waiting for nobody; says `won` or `busy`; who won holds it for a while. */
async function contend(): Promise<void> {
  await tell("ready")
  await new Promise((resolve) => process.once("message", resolve))
  try {
    const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
    await tell("won")
    await delay(60_000)
    await lease.release()
  } catch (error) {
    await tell(isTreelogError(error, "SessionBusyError") ? "busy" : String(error))
  }
}

/** Takes turns with others, and fails if another has the session at the same time. */
async function takeTurns(): Promise<void> {
  for (let turn = 0; turn < Number(times); turn++) {
    const lease = await storage.lease(key, { access: "shared", waitMs: 300_000 })
    await bearWitness()
    await appendOne(lease, turn)
    rmSync(witness)
    await lease.release()
  }
  await tell("done")
}

/** Writes its pid where only the holder may. One that is there already must be that of a process which was killed. */
async function bearWitness(): Promise<void> {
  for (let patience = 50; ; patience--) {
    try {
      return writeFileSync(witness, String(process.pid), { flag: "wx" })
    } catch (error) {
      const other = Number(readFileSync(witness, "utf8"))
      if (!isAlive(other)) rmSync(witness)
      else if (patience === 0) throw new Error(`${other} has the session too`, { cause: error })
      else await delay(10)
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function appendOne(lease: Lease, turn: number): Promise<void> {
  const stat = await storage.stat(key)
  if (stat === undefined) throw new Error("the session is gone")
  await lease.append(new TextEncoder().encode(`${name} ${turn}\n`), stat)
}

/** Takes turns with processes that it cannot see, and notes in the witness when it has the session. */
async function noteTurns(): Promise<void> {
  await tell("ready")
  for (let turn = 0; turn < Number(times); turn++) {
    const lease = await storage.lease(key, { access: "shared", waitMs: 300_000 })
    appendFileSync(witness, `begin ${name}\n`)
    await appendOne(lease, turn)
    appendFileSync(witness, `end ${name}\n`)
    await lease.release()
  }
  await tell("done")
}

/** Appends and syncs for ever, and reports each line that is safe. */
async function write(): Promise<void> {
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  let stat = await storage.stat(key)
  for (let line = 0; stat !== undefined; line++) {
    const text = `${process.pid} ${line} ${"x".repeat((line * 37) % 5000)}\n`
    stat = await lease.append(new TextEncoder().encode(text), stat)
    await lease.sync()
    await tell(text)
  }
}

/** Appends to a shared session that writes through, for ever: its lock is kept from one append to the next. Reports each entry. */
async function keep(): Promise<void> {
  const session = openSync(new SessionManager({ storage }), key, { access: "shared", persist: "append" })
  for (;;) {
    await tell(session.appendMessage({ role: "user", content: "kept", timestamp: 0 }))
    await new Promise(setImmediate)
  }
}

/** Waits for what another process appends, and for nothing else. */
async function follow(): Promise<void> {
  const session = await new SessionManager({ storage }).open(key, { access: "read" })
  await tell("ready")
  for await (const entry of session.watch(new AbortController().signal)) return tell(entry.id)
}

const tasks: Record<string, () => Promise<void>> = {
  hold,
  contend,
  "take-turns": takeTurns,
  "note-turns": noteTurns,
  write,
  keep,
  follow,
}
await tasks[task]?.()
process.disconnect?.()
