import { outputOf } from "../link/scope.js"
import type { SourceRecord } from "../source/source-record.js"

/** A record with the usage of a response, and when that was, where it is known. */
export interface TimedUsage {
  readonly record: SourceRecord
  readonly time: string | undefined
}

/**
 * Usage that counts in a session without being in its transcript: of replies nested in progress lines, of side chains, and of the files
 * of sub-agents. Each response counts once, with the line that has most output tokens.
 * @param records of the session, in file order, with those that are not in the transcript
 * @param isOwn whether a record is in the transcript
 * @param agents responses of the files of sub-agents, ordered by time
 * @param until what is later stands behind the end of the session for now; undefined where nothing is
 * @returns by the number of the record of the transcript before which it stands
 */
export function foreignUsage(
  records: readonly SourceRecord[],
  isOwn: (record: SourceRecord) => boolean,
  agents: readonly (TimedUsage & { readonly time: string })[],
  until: string | undefined,
): Map<number, TimedUsage[]> {
  const found = new Map<number, TimedUsage[]>()
  const isForeign = (record: SourceRecord): boolean =>
    record.usage !== undefined && !(record.role === "reply" && isOwn(record))
  const ofAgents = agents.map(({ record }) => record)
  const keys = new Set([...ofAgents, ...records.filter(isForeign)].map(({ key }) => key))
  if (keys.size === 0) return found
  const inFile = records.filter(({ usage, key }) => usage && keys.has(key))
  /** By key, of those that were not counted yet: the record with most output tokens, the last of several. */
  const best = new Map<string | undefined, SourceRecord>()
  for (const record of [...inFile, ...ofAgents]) {
    const known = best.get(record.key)
    if (!known || outputOf(record) >= outputOf(known)) best.set(record.key, record)
  }
  const known = new Set(inFile.map(({ key }) => key))
  for (const record of inFile) if (!isForeign(record)) best.delete(record.key)
  let own = 0
  const count = ({ key }: SourceRecord, time?: string): void => {
    const record = best.get(key)
    if (!record || !best.delete(key)) return
    const usages = found.get(own) ?? []
    usages.push({ record, time })
    found.set(own, usages)
  }
  const isLater = (time: string): boolean => until !== undefined && time >= until
  const waiting = agents.filter(({ record, time }) => !known.has(record.key) && !isLater(time))
  let next = 0
  for (const record of records) {
    const { time } = record
    for (let agent = waiting[next]; agent && time !== undefined && agent.time < time; agent = waiting[++next])
      count(agent.record, agent.time)
    if (isForeign(record)) count(record, time)
    if (isOwn(record)) own += 1
  }
  for (const { record, time } of waiting.slice(next)) count(record, time)
  return found
}
