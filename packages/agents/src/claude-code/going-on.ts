import type { SessionHeader } from "@treelog/session-core"
import { isCompactionRequest, type Part } from "./parts.js"
import { EarlierRecords, type EarlierState } from "./plan/earlier-records.js"
import type { TimedUsage } from "./plan/foreign-usage.js"
import type { PlanInput, QuietState } from "./plan/plan.js"
import { type QuietPlace, quietPlace, quietPositions } from "./plan/quiet-places.js"
import { standsApart } from "./plan/stands-apart.js"
import type { Before } from "./source/before.js"
import type { SourceIndex } from "./source/source-index.js"
import type { SourceRecord } from "./source/source-record.js"

/** What stands before a place of a file, as plain JSON. */
export interface FileState {
  readonly header: SessionHeader
  readonly first: SourceIndex["first"]
  /** Where the line begins. */
  readonly line: number
  readonly offset: number
  /** How many entries. */
  readonly entries: number
  readonly before: Before
  readonly earlier: EarlierState
  /** The files of parts that have an entry, or whose usage counts, before it. */
  readonly parts: readonly string[]
}

/** How many places are tried, each twice as far from the end as the one before, and how many of those are compared with what follows them. */
const TRIED = 12
const COMPARED = 3

/** All that a conversion has read. */
interface Converted {
  readonly index: SourceIndex
  /** Of the transcript. */
  readonly records: readonly SourceRecord[]
  readonly header: SessionHeader
  readonly agents: readonly Part[]
  /** The names of side chains, with the first record of each. */
  readonly chains: readonly (readonly [name: string, start: SourceRecord | undefined])[]
  /** The names of results that were kept in files. */
  readonly results: readonly string[]
  readonly foreign: ReadonlyMap<number, readonly TimedUsage[]>
  /** The time of the first record that is held back: usage of agents since then is not counted yet. Undefined where none is. */
  readonly heldSince: string | undefined
  /** Where it went on. */
  readonly from: FileState | undefined
}

/** Where a conversion of the same file can go on when that has grown. */
export class Resuming {
  readonly #converted: Converted
  #earlier: EarlierRecords | undefined
  #behind: readonly SourceRecord[] = []
  readonly #states = new WeakMap<QuietState, { readonly state: FileState | undefined }>()

  constructor(converted: Converted) {
    this.#converted = converted
  }

  /** Chooses the last quiet place that what follows leaves alone. @param from between these offsets in the file. Bytes @param to as `from` */
  placeIn(from: number, to: number): NonNullable<PlanInput["quietPlace"]> {
    return (scope, links) => {
      const { index, records } = this.#converted
      if (index.records.some(({ kind }) => kind.startsWith("api-request"))) return undefined
      const loose = scope.diagnostics.flatMap(({ kind, line }) => (kind === "missing-parent" ? [line ?? 0] : []))
      const lastLoose = loose.reduce((last, line) => Math.max(last, line), 0)
      // What was read of a damaged line may begin within it, and the rest of a torn one changes what it is.
      const damaged = new Set(index.faults.map(({ diagnostic }) => diagnostic.line))
      const positions = quietPositions(scope.records).filter((at) => {
        const { offset, line } = records[at] as SourceRecord
        return line > lastLoose && !damaged.has(line) && offset >= from && offset <= to
      })
      // Behind a record that was linked to what stands before it by time, there is none.
      for (let tried = 0, compared = 0; tried < TRIED && compared < COMPARED; tried++) {
        const at = positions[2 ** tried - 1]
        if (at === undefined) return undefined
        const place = quietPlace(scope, links, at, this.#converted.from?.earlier)
        if (place && this.#isApart(place)) return place
        if (place) compared += 1
      }
      return undefined
    }
  }

  /** What is kept of a quiet place; undefined where parts stand on both sides of it. */
  stateOf(quiet: QuietState): FileState | undefined {
    const known = this.#states.get(quiet) ?? { state: this.#stateOf(quiet) }
    this.#states.set(quiet, known)
    return known.state
  }

  #isApart({ at, uuids }: QuietPlace): boolean {
    const { index, records, from } = this.#converted
    const position = index.records.indexOf(records[at] as SourceRecord)
    if (index.firstsKnown > position) return false
    this.#behind = index.records.slice(position)
    this.#earlier = new EarlierRecords(from?.earlier, index.records.slice(0, position), uuids)
    return standsApart(this.#behind, this.#earlier)
  }

  #stateOf(quiet: QuietState): FileState | undefined {
    const { header, index, agents, results, records, from } = this.#converted
    const earlier = this.#earlier
    const start = records[quiet.at]
    if (!earlier || !start) return undefined
    const { before, behind } = this.#countedAt(quiet.at)
    const isBefore = ({ name }: Part): boolean => (isCompactionRequest(name) ? before : quiet.parts).has(name)
    const added = agents.filter(isBefore)
    const others = agents.filter((part) => !isBefore(part))
    const [kept, waiting] = [
      results.filter((name) => quiet.parts.has(name)),
      results.filter((name) => !quiet.parts.has(name)),
    ]
    const isOpen = this.#converted.chains.some(
      ([name, first = start]) => first.line < start.line && !quiet.parts.has(name),
    )
    if (
      isOpen ||
      added.some(({ name }) => behind.has(name)) ||
      others.some(({ name, isFile }) => before.has(name) || !isFile)
    )
      return undefined
    earlier.addParts(added, kept)
    if (!earlier.areBehind(others, waiting) || !standsApart(this.#behind, earlier)) return undefined
    const files = added.filter(({ isFile }) => isFile).map(({ name }) => name)
    return {
      ...{ header, first: index.first, line: start.line, offset: start.offset, before: quiet.before },
      entries: (from?.entries ?? 0) + quiet.entries,
      earlier: earlier.saved,
      parts: [...(from?.parts ?? []), ...files, ...kept],
    }
  }

  /** The agents of which usage counts before a record of the transcript, and behind it. */
  #countedAt(at: number): { readonly before: ReadonlySet<string>; readonly behind: ReadonlySet<string> } {
    const { agents, foreign, heldSince } = this.#converted
    const places = new Map([...foreign].flatMap(([place, usages]) => usages.map(({ record }) => [record, place])))
    const [before, behind] = [new Set<string>(), new Set<string>()]
    for (const { name, index } of agents)
      for (const record of index.records) {
        const place = places.get(record)
        const isWaiting = record.usage && heldSince !== undefined && !((record.time ?? "") < heldSince)
        if (place !== undefined) (place < at ? before : behind).add(name)
        else if (isWaiting) behind.add(name)
      }
    return { before, behind }
  }
}
