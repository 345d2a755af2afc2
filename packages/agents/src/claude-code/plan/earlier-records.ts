import { KnownIds } from "../source/known-ids.js"
import type { SourceIndex } from "../source/source-index.js"
import type { SourceRecord } from "../source/source-record.js"
import { agentOf, callIn } from "./part-order.js"
import { type Earlier, idsOf, isNode, responseOf } from "./stands-apart.js"

/** What is known of the records before a place, as plain JSON. */
export interface EarlierState {
  readonly uuids: readonly string[]
  /** Saved. */
  readonly ids: string
  /** Of the newest node, and of the last prompt. Milliseconds since 1970 */
  readonly newest: number
  readonly prompted: number
  /** The latest time of a record. */
  readonly latest: string
  /** Whether the last reply has a reason to stop. */
  readonly hasStopped: boolean
  readonly lastCwd: string
}

/** A transcript of a sub-agent. */
interface Transcript {
  readonly name: string
  readonly index: Pick<SourceIndex, "records" | "first">
}

/** The records before a place, of which only so much is known as those behind may have to do with. */
export class EarlierRecords implements Earlier {
  readonly uuids: ReadonlySet<string>
  readonly #state: { -readonly [Field in keyof EarlierState]: EarlierState[Field] }
  readonly #ids: KnownIds

  /** @param former what is known of the records before these @param uuids of the last node */
  constructor(
    former: EarlierState = NOTHING,
    records: readonly SourceRecord[] = [],
    uuids: readonly string[] = former.uuids,
  ) {
    this.uuids = new Set(uuids)
    this.#state = { ...former, uuids }
    this.#ids = new KnownIds(former.ids)
    this.#ids.add(records.flatMap(idsOf))
    for (const record of records) this.#note(record)
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  get newest(): number {
    return this.#state.newest
  }

  get latest(): string {
    return this.#state.latest
  }

  /** Adds parts whose entries or usage stand before the place. */
  addParts(agents: readonly Transcript[], names: readonly string[]): void {
    const ids = agents.flatMap(({ index }) => index.records.map(responseOf))
    const named = [...agents.map(({ name }) => name), ...names].flatMap(idsOfPart)
    this.#ids.add([...ids.filter((id) => id !== undefined), ...named])
  }

  /** Whether parts stand behind the place, and no record before it has to do with them. @param names of results */
  areBehind(agents: readonly Transcript[], names: readonly string[]): boolean {
    const isLater = (time: string): boolean => time >= this.latest
    const isNew = (id: string | undefined): boolean => id === undefined || !this.has(id)
    return (
      [...agents.map(({ name }) => name), ...names].flatMap(idsOfPart).every(isNew) &&
      agents.every(
        ({ index }) =>
          isLater(index.first.timestamp ?? "~") &&
          index.records.every((record) => isNew(responseOf(record)) && (!record.usage || isLater(record.time ?? ""))),
      )
    )
  }

  get saved(): EarlierState {
    return { ...this.#state, ids: this.#ids.saved }
  }

  #note(record: SourceRecord): void {
    const { role, millis, time = "", model, isSidechain, place } = record
    const state = this.#state
    if (isNode(record) && millis > state.newest) state.newest = millis
    if (role === "prompt" && millis > state.prompted) state.prompted = millis
    if (time > state.latest) state.latest = time
    if (role === "reply" && !isSidechain && model !== undefined) state.hasStopped = record.hasStopped === true
    if (place) state.lastCwd = place.cwd
  }
}

const NOTHING: EarlierState = {
  ...{ uuids: [], ids: "", newest: 0, prompted: 0, latest: "" },
  ...{ hasStopped: false, lastCwd: "" },
}

/** By which a record names a part. */
function idsOfPart(name: string): string[] {
  const call = callIn(name)
  return [name, agentOf({ name }), ...(call === undefined ? [] : [call])]
}
