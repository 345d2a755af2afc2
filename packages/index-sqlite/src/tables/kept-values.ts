import { fileNameOf, type KeptFacts } from "@treelog/session-core/search"
import type { SqliteConnection, SqliteValue } from "@treelog-internal/sqlite"
import type { EntryIdentity } from "./copies.js"
import { mixedDigest } from "./entry-digest.js"
import { storableText } from "./storable-text.js"
import { spanOf } from "./usage-spans.js"

type Identified = Pick<KeptFacts, "id" | "time" | "timestamp" | "content">

export function identityOf({ id, time, timestamp, content }: Identified): EntryIdentity {
  return { id: storableText(id), time, stamp: stampOf(time, timestamp), content }
}

/** The ISO form of a time on a day that every month has: making it again from each time takes long. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** Null for the usual form, which the time has. */
function stampOf(time: number, timestamp: string): string | null {
  const isUsual = USUAL.test(timestamp) || new Date(time).toISOString() === timestamp
  return time !== 0 && isUsual ? null : storableText(timestamp)
}

/** The columns of what an entry used, from `calls` on. */
export function usageValues({ usage }: KeptFacts["usages"][number]): readonly SqliteValue[] {
  const { calls, input, output, cacheRead, cacheWrite, totalTokens, cost } = usage
  const { cacheWrite1h = null, reasoning = null, webSearches = null, premiumRequests = null } = usage
  const rare = [cacheWrite1h, reasoning, webSearches, premiumRequests]
  return [calls, input, output, cacheRead, cacheWrite, totalTokens, cost, ...rare]
}

function nameIn(name: string | undefined): string | null {
  return name === undefined ? null : storableText(name)
}

/** The files of an entry: what it changed, then what it only read. */
export function filesOf({
  changedFiles,
  readFiles,
}: Pick<KeptFacts, "changedFiles" | "readFiles">): readonly { path: string; change: 0 | 1 }[] {
  const file = (change: 0 | 1) => (path: string) => ({ path, change })
  return [...changedFiles.map(file(1)), ...readFiles.map(file(0))]
}

type Values = readonly SqliteValue[]

/** Whether the tables have these facts of a session, in this order, and no others. */
export function areKept(connection: SqliteConnection, session: number, facts: readonly KeptFacts[]): boolean {
  const rows = (sql: string, ...values: SqliteValue[]): Values[] =>
    connection
      .sql(sql)
      .all<Record<string, SqliteValue>>(...values)
      .map(Object.values)
  const isKept = (one: KeptFacts, [n = 0, copies = 0, ...entry]: Values): boolean => {
    const { id, time, stamp, content } = identityOf(one)
    const { offset, length, digest, texts, usages } = one
    const files = filesOf(one)
    return (
      areSame([entry], [[offset, length, texts, mixedDigest(digest, id), id, stamp, time, content]]) &&
      areSame(
        usages.length === 0 ? [] : rows(USAGES, spanOf(time), session, n),
        usages.map((usage) => {
          const { model, role, inputAbove = null, serviceTier } = usage
          return [
            time,
            copies,
            storableText(model),
            nameIn(role),
            inputAbove,
            nameIn(serviceTier),
            ...usageValues(usage),
          ]
        }),
      ) &&
      areSame(
        files.length === 0 ? [] : rows(FILES, session, n),
        files.map(({ path, change }) => [storableText(path), fileNameOf(storableText(path)), change]),
      )
    )
  }
  const entries = rows(ENTRIES, session)
  return entries.length === facts.length && facts.every((one, at) => isKept(one, entries[at] ?? []))
}

const ENTRIES = `
  SELECT n, copies, offset, length, texts, digest, id, stamp, time, content FROM entry WHERE session = ? ORDER BY n`
const USAGES = `
  SELECT time, copies, name.text, roles.text AS role, above, tiers.text AS tier, calls, input, output, cache_read, cache_write, total, cost, cache_write_1h,
    reasoning, searches, premium
  FROM usage JOIN name ON name.n = model LEFT JOIN name AS roles ON roles.n = role
    LEFT JOIN name AS tiers ON tiers.n = tier
  WHERE span = ? AND session = ? AND usage.n = ? ORDER BY at`
const FILES = `
  SELECT text, base, change FROM file_use JOIN path ON path.n = path WHERE session = ? AND file_use.n = ? ORDER BY at`

function areSame(kept: readonly Values[], facts: readonly Values[]): boolean {
  return (
    kept.length === facts.length && kept.every((row, at) => row.every((value, column) => value === facts[at]?.[column]))
  )
}
