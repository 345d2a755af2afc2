import { sessionText } from "@treelog-internal/test-kit"
import { damageBytes } from "@treelog-internal/test-kit/damage"
import { generateSession, Random } from "@treelog-internal/test-kit/generator"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isTreelogError } from "../../src/errors.js"
import { readLog, type SessionLog } from "../../src/log/session-log.js"
import { assemble, type Part } from "../../src/log/splice.js"
import { linesOf } from "../../src/log/split-lines.js"
import { migrate } from "../../src/migrate/migrate.js"
import { type OldLog, OldLogReader } from "../../src/migrate/old-log.js"
import { planMigration } from "../../src/migrate/plan-migration.js"
import { copyParts } from "../../src/session/change/copy-parts.js"
import { migrationParts } from "../../src/session/change/migration-parts.js"

async function made(source: Uint8Array, parts: Iterable<Part>): Promise<string> {
  const pieces: Uint8Array[] = []
  const read = async (offset: number, length: number, into?: Uint8Array) => {
    const bytes = source.slice(offset, offset + length)
    if (!into) return bytes
    into.set(bytes)
    return into.subarray(0, bytes.length)
  }
  for await (const piece of assemble(parts, read)) pieces.push(piece)
  return Buffer.concat(pieces).toString("latin1")
}

function readOld(bytes: Uint8Array, length: number): OldLog | undefined {
  const reader = new OldLogReader("key")
  for (let at = 0; at < bytes.length; at += length) reader.push(bytes.slice(at, at + length))
  return reader.finish()
}

async function parsed(bytes: Uint8Array): Promise<SessionLog | undefined> {
  try {
    return await readLog(linesOf(bytes), "key")
  } catch (error) {
    if (!isTreelogError(error, "InvalidSessionError")) throw error
    return undefined
  }
}

/** Whether what comes of the bytes is what comes of parsing all of them. */
async function holdsFor(bytes: Uint8Array, length: number): Promise<void> {
  const log = await parsed(bytes)
  if (!log) {
    expect(() => readOld(bytes, length)).toThrow("is no session")
    return
  }
  const old = readOld(bytes, length)
  if (!old) throw new Error("Nothing was read.")
  const { records: _, ...outline } = log
  const { records, ...oldOutline } = old
  expect(oldOutline).toEqual(outline)
  expect(records.length).toBe(log.records.length)
  const plan = planMigration(old)
  const { report } = migrate(log)
  expect(plan?.report).toEqual(report)
  if (plan)
    expect(await made(bytes, migrationParts(old, plan))).toBe(
      await made(
        bytes,
        copyParts(log, (header) => header),
      ),
    )
}

const V1 = { type: "session", id: "old", timestamp: "2025-11-01T10:00:00.000Z", cwd: "/project" }
const type = fc.constantFrom("message", "compaction", "custom", "session", "", 7, "\\", "odd type")
const role = fc.constantFrom("user", "hookMessage", "assistant", 'a"b', 1, null)
const message = fc.oneof(
  fc.record({ role, content: fc.string() }),
  fc.record({ content: fc.string(), role }),
  fc.constantFrom("text", null, [{ role: "hookMessage" }]),
)
const field = fc.tuple(
  fc.constantFrom(
    "id",
    "parentId",
    "message",
    "timestamp",
    "firstKeptEntryIndex",
    "1",
    "x-y",
    "type",
    "role",
    "__proto__",
  ),
  fc.oneof(message, fc.nat(12), fc.string(), fc.constant({ role: "hookMessage", type: "message" })),
)
const KEYS = ["hookMessage", "role", "message", "type", "parentId"]

/** A record as text, with keys that stand there twice, keys and values with escapes, and spaces. */
const record = fc
  .tuple(type, fc.boolean(), message, fc.array(field, { maxLength: 3 }), fc.nat(40), fc.constantFrom(...KEYS))
  .map(([kind, isFirst, said, fields, odd, key]) => {
    const members = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    members.splice(isFirst ? 0 : members.length, 0, `"type":${JSON.stringify(kind)}`)
    const text = `{${[...members, `"message":${JSON.stringify(said)}`].join(",")}}`
    if (odd === 0) return text.replace(":", " : ")
    if (odd < 4)
      return text.replace(`"${key}"`, `"\\u${key.charCodeAt(0).toString(16).padStart(4, "0")}${key.slice(1)}"`)
    return text
  })

describe("a migration that parses only what it must", { timeout: 120_000 }, () => {
  it("writes, reports and counts what one does that parses everything, of generated and damaged sessions", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 2),
        fc.nat(),
        fc.nat(3),
        fc.integer({ min: 1, max: 9_000 }),
        async (version, seed, damages, length) => {
          const random = new Random(seed)
          const style = version === 1 ? "pi-v1" : "pi"
          let text = [...generateSession({ seed, style, entries: 40, toolOutput: 300, compactions: 2 })].join("")
          if (version === 2)
            text = text.replace('"version":3', '"version":2').replaceAll('"role":"toolResult"', '"role":"hookMessage"')
          let bytes: Uint8Array = new TextEncoder().encode(text)
          for (let done = 0; done < damages; done++) ({ bytes } = damageBytes(bytes, random))
          await holdsFor(bytes, length)
        },
      ),
      { numRuns: 200 },
    )
  })

  it("does so of records of any kind", async () => {
    const version = fc.constantFrom(undefined, 1, 2)
    await fc.assert(
      fc.asyncProperty(version, fc.array(record, { maxLength: 8 }), fc.boolean(), async (version, records, isTorn) => {
        const text =
          sessionText({ ...V1, ...(version !== undefined && { version }) }) +
          records.map((line) => `${line}\n`).join("")
        await holdsFor(new TextEncoder().encode(isTorn ? text.slice(0, -2) : text), 1_000)
      }),
      { numRuns: 2_000 },
    )
  })

  it("keeps to the order of long and short records, and of those that had to be parsed", async () => {
    const lengths = [10, 2_000_000, 10, 700_000, 700_000, 10, 1_100_000, 10]
    const said = (length: number, index: number) =>
      index % 5 === 3
        ? { type: "compaction", summary: "s".repeat(length), firstKeptEntryIndex: 2 }
        : { type: "message", message: { role: "user", content: "m".repeat(length) } }
    await holdsFor(new TextEncoder().encode(sessionText(V1, ...lengths.map(said))), 100_000)
  })
})
