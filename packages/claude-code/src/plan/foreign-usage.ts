import { outputOf } from "../link/scope.js"
import type { SourceRecord } from "../source/source-record.js"

/** A record with the usage of a response, and when that was; an empty time where it is not known. */
export interface TimedUsage {
  readonly record: SourceRecord
  readonly time: string
}

/**
 * Usage that counts in a session without being in its transcript: of replies nested in progress lines, of side chains, and of the files
 * of sub-agents. Each response counts once, with the line that has most output tokens.
 */
export class ForeignUsage {
  readonly #before = new Map<number, TimedUsage[]>()
  readonly #atEnd: readonly TimedUsage[]

  /**
   * @param records of the session, in file order, with those that are not in the transcript
   * @param isOwn whether a record is in the transcript
   * @param agents responses of the files of sub-agents, ordered by time
   * @param until what is later stands behind the end of the session for now; undefined where nothing is
   */
  constructor(
    records: readonly SourceRecord[],
    isOwn: (record: SourceRecord) => boolean,
    agents: readonly TimedUsage[],
    until: string | undefined,
  ) {
    const isForeign = (record: SourceRecord): boolean => !(record.role === "reply" && isOwn(record))
    this.#atEnd = []
    /** Of responses that are not, or not only, in the transcript. */
    const keys = new Set(agents.map(({ record }) => record.key))
    for (const record of records) if (record.usage && isForeign(record)) keys.add(record.key)
    if (keys.size === 0) return
    const counted = records.filter((record) => record.usage && keys.has(record.key))
    const best = bestUsage(counted, agents)
    const seen = new Set<string | undefined>()
    for (const record of counted) if (!isForeign(record)) seen.add(record.key)
    const take = ({ key }: SourceRecord, time: string | undefined): TimedUsage[] => {
      const record = seen.has(key) ? undefined : best.get(key)
      seen.add(key)
      return record ? [{ record, time: time ?? "" }] : []
    }
    const inFile = new Set(counted.map(({ key }) => key))
    const waiting = agents.filter(({ record }) => !inFile.has(record.key))
    let next = 0
    let own = 0
    for (const record of records) {
      const time = next < waiting.length ? record.time : undefined
      for (let agent = waiting[next]; agent && time !== undefined && agent.time < time; agent = waiting[++next])
        this.#add(own, take(agent.record, agent.time))
      if (record.usage && isForeign(record)) this.#add(own, take(record, record.time))
      if (isOwn(record)) own += 1
    }
    const last = waiting.slice(next).filter(({ time }) => until === undefined || time < until)
    this.#atEnd = [...this.before(own), ...last.flatMap(({ record, time }) => take(record, time))]
  }

  /** What stands before the record of the transcript with this number. */
  before(number: number): readonly TimedUsage[] {
    return this.#before.get(number) ?? []
  }

  atEnd(): readonly TimedUsage[] {
    return this.#atEnd
  }

  #add(number: number, usages: readonly TimedUsage[]): void {
    if (usages.length > 0) this.#before.set(number, [...this.before(number), ...usages])
  }
}

/** By key: the record with most output tokens, the last of several. */
function bestUsage(
  records: readonly SourceRecord[],
  agents: readonly TimedUsage[],
): Map<string | undefined, SourceRecord> {
  const best = new Map<string | undefined, SourceRecord>()
  const add = (record: SourceRecord): void => {
    const known = best.get(record.key)
    if (!known || outputOf(record) >= outputOf(known)) best.set(record.key, record)
  }
  for (const record of records) add(record)
  for (const { record } of agents) add(record)
  return best
}
