import type { ResponseUsage, SourceRecord } from "../source/source-record.js"

/** The usage of a response, and when it was; an empty time where that is not known. */
export interface TimedUsage {
  readonly usage: ResponseUsage
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
    if (agents.length === 0 && !records.some((record) => record.usage && isForeign(record))) return
    const best = bestUsage(records, agents)
    const seen = new Set<string>()
    for (const record of records) if (record.usage && !isForeign(record)) seen.add(record.usage.key)
    const take = ({ key }: ResponseUsage, time: string | undefined): TimedUsage[] => {
      const usage = seen.has(key) ? undefined : best.get(key)
      seen.add(key)
      return usage ? [{ usage, time: time ?? "" }] : []
    }
    const inFile = new Set<string>()
    for (const { usage } of agents.length === 0 ? [] : records) if (usage) inFile.add(usage.key)
    const waiting = agents.filter(({ usage }) => !inFile.has(usage.key))
    let next = 0
    let own = 0
    for (const record of records) {
      const { time, usage } = record
      for (let agent = waiting[next]; agent && time !== undefined && agent.time < time; agent = waiting[++next])
        this.#add(own, take(agent.usage, agent.time))
      if (usage && isForeign(record)) this.#add(own, take(usage, time))
      if (isOwn(record)) own += 1
    }
    const last = waiting.slice(next).filter(({ time }) => until === undefined || time < until)
    this.#atEnd = [...this.before(own), ...last.flatMap(({ usage, time }) => take(usage, time))]
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

function bestUsage(records: readonly SourceRecord[], agents: readonly TimedUsage[]): Map<string, ResponseUsage> {
  const best = new Map<string, ResponseUsage>()
  const add = (usage: ResponseUsage): void => {
    const known = best.get(usage.key)
    if (!known || usage.output >= known.output) best.set(usage.key, usage)
  }
  for (const { usage } of records) if (usage) add(usage)
  for (const { usage } of agents) add(usage)
  return best
}
