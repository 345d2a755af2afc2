import { KnownIds, type KnownIdsJson } from "../source/known-ids.js"
import type { SourceIndex } from "../source/source-index.js"
import type { SourceRecord } from "../source/source-record.js"
import { agentOf, callIn } from "./part-order.js"
import { type Earlier, idsOf, isNode, responseOf } from "./stands-apart.js"

/** What is known of the records before a place, as plain JSON. */
export interface EarlierState {
  readonly uuids: readonly string[]
  readonly ids: KnownIdsJson
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
  newest: number
  #prompted: number
  latest: string
  #hasStopped: boolean
  #lastCwd: string
  readonly #ids: KnownIds

  private constructor(state: Omit<EarlierState, "ids">, ids: KnownIds) {
    this.uuids = new Set(state.uuids)
    this.newest = state.newest
    this.#prompted = state.prompted
    this.latest = state.latest
    this.#hasStopped = state.hasStopped
    this.#lastCwd = state.lastCwd
    this.#ids = ids
  }

  static from(state: EarlierState): EarlierRecords {
    return new EarlierRecords(state, KnownIds.from(state.ids))
  }

  /** @param uuids of the last node @param former what is known of the records before those */
  static of(records: readonly SourceRecord[], uuids: readonly string[], former = NOTHING): EarlierRecords {
    const ids = records.flatMap(idsOf)
    const known = former.ids ? KnownIds.from(former.ids) : KnownIds.of(ids)
    const earlier = new EarlierRecords({ ...former, uuids }, known)
    if (former.ids) known.add(ids)
    for (const record of records) earlier.#note(record)
    return earlier
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Whether there are too many to tell them from others. */
  get isFull(): boolean {
    return this.#ids.isFull
  }

  get hasStopped(): boolean {
    return this.#hasStopped
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

  toJSON(): EarlierState {
    const { newest, latest, uuids } = this
    const [prompted, hasStopped, lastCwd] = [this.#prompted, this.#hasStopped, this.#lastCwd]
    return { uuids: [...uuids], ids: this.#ids.toJSON(), newest, prompted, latest, hasStopped, lastCwd }
  }

  #note(record: SourceRecord): void {
    const { role, millis, time = "", model, isSidechain, place } = record
    if (isNode(record) && millis > this.newest) this.newest = millis
    if (role === "prompt" && millis > this.#prompted) this.#prompted = millis
    if (time > this.latest) this.latest = time
    if (role === "reply" && !isSidechain && model !== undefined) this.#hasStopped = record.hasStopped === true
    if (place) this.#lastCwd = place.cwd
  }
}

const NOTHING: Omit<EarlierState, "ids"> & { readonly ids?: KnownIdsJson } = {
  uuids: [],
  newest: 0,
  prompted: 0,
  latest: "",
  hasStopped: false,
  lastCwd: "",
}

/** By which a record names a part. */
function idsOfPart(name: string): string[] {
  const call = callIn(name)
  return [name, agentOf({ name }), ...(call === undefined ? [] : [call])]
}
