import { buildSessionContext, isTreelogError, MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { linesOf, parseLine, readLog } from "@treelog/session-core/adapter"
import { parsedJson } from "@treelog/session-core/json"
import { type Damage, damageBytes } from "@treelog-internal/test-kit/damage"
import { generateSession, Random, type SessionStyle } from "@treelog-internal/test-kit/generator"
import type { FaultTest, Findings } from "../fault-test.js"

const STYLES: readonly SessionStyle[] = ["pi", "omp", "pi-migrated", "pi-v1"]
const POOL = 24
const encoder = new TextEncoder()

/** Damages sessions in many ways, and reads what is left. */
export const damage: FaultTest = {
  name: "damage",
  promise:
    "A session that was damaged anyhow is read without a throw; no undamaged entry changes, and what cannot be read is reported.",
  counts: { short: 200, long: 100_000 },
  async run({ count, seed, progress, findings }) {
    const random = new Random(seed)
    const pool = Array.from({ length: POOL }, (_, index) =>
      sessionBytes(STYLES[index % STYLES.length] ?? "pi", seed + index),
    )
    for (let tried = 0; tried < count; tried++) {
      const whole = random.pick(pool)
      const damaged = damageBytes(whole, random)
      findings.count(damaged.kind)
      try {
        await tryOne(whole, damaged, `try ${tried} (${damaged.kind} at ${damaged.from})`, findings)
      } catch (error) {
        findings.broken.push(`try ${tried} (${damaged.kind} at ${damaged.from}) threw ${String(error)}`)
      }
      progress(tried + 1)
    }
  },
}

async function tryOne(whole: Uint8Array, { bytes, from, to }: Damage, what: string, findings: Findings): Promise<void> {
  const log = await readLog(linesOf(bytes), "damaged").catch((error: unknown) => {
    if (isTreelogError(error, "InvalidSessionError")) return undefined
    throw error
  })
  if (!log) {
    findings.count("not a session any more, and said so")
    return
  }
  const read = new Set([log.header, ...log.records.map(({ value }) => value)].map((value) => JSON.stringify(value)))
  for (const line of linesOf(whole)) {
    // A line whose end is damaged too may run into the next one.
    const isUndamaged = line.end < from || line.offset > to
    const record = isUndamaged ? parseLine(line).records[0]?.value : undefined
    if (!record || record.type === "title") continue
    findings.expect(
      read.has(JSON.stringify(record)) || record.type === "session",
      () => `${what}: undamaged line ${line.number} is lost or changed`,
    )
  }
  const reported = new Set(log.diagnostics.map(({ line }) => line))
  for (const line of linesOf(bytes)) {
    if (isReadable(line.bytes)) continue
    findings.expect(reported.has(line.number), () => `${what}: line ${line.number} cannot be read, and is not reported`)
  }
  await walk(bytes)
}

/** Opens it as a program would, and goes everywhere. */
async function walk(bytes: Uint8Array): Promise<void> {
  const storage = new MemorySessionStorage()
  const key = storage.keyFor({ cwd: "/torture", id: "damaged", timestamp: "2026-03-02T09:00:00.000Z" })
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([bytes])
  await lease.release()
  const session = await new SessionManager({ anyFile: true, storage }).open(key, { access: "read" })
  session.getTree()
  session.buildTranscript()
  buildSessionContext(session.getEntries())
  for (const { id } of session.getEntries()) session.getBranch(id)
}

function isReadable(bytes: Uint8Array): boolean {
  const text = new TextDecoder("utf-8", { fatal: false }).decode(bytes).trim()
  if (text === "") return true
  const value = parsedJson(text)
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function sessionBytes(style: SessionStyle, seed: number): Uint8Array {
  return encoder.encode([...generateSession({ seed, style, entries: 30, toolOutput: 60, images: 0 })].join(""))
}
