import type { AssistantMessage, LostResult, Message, SessionEntry } from "@treelog/session-core"
import { PART, type partOf } from "@treelog/session-core/adapter"

type SessionPart = Pick<NonNullable<ReturnType<typeof partOf>>, "name" | "role" | "call">

/** Where an entry goes. */
export interface EntryPlace {
  /** The source's own id, as a rule. What is taken gets a number. */
  readonly id: string
  /** Milliseconds since 1970; of the entry before where the source says none. */
  readonly time?: number | undefined
  /** The entry before it on its path. Default: the last one; `null` starts another path. */
  readonly parent?: string | null | undefined
}

/** Collects the entries of a session, each behind the last one unless another parent is named. */
export class EntryWriter {
  readonly entries: SessionEntry[] = []
  /** The entry that the next one follows. */
  leaf: string | null = null
  readonly transcripts: { readonly part: SessionPart & { texts?: readonly object[] }; readonly writer: EntryWriter }[] =
    []
  readonly #ids = new Set<string>()
  #time = 0
  /** How many entries were added before the first time. */
  #untimed = 0
  readonly #lostResult: LostResult | undefined

  /** @param lostResult of the agent: replies with calls say it, unless they have one of their own */
  constructor(lostResult?: LostResult) {
    this.#lostResult = lostResult
  }

  /** Adds an entry. @returns its id */
  add(type: string, { id, time, parent = this.leaf }: EntryPlace, fields: object): string {
    if (time !== undefined && isTime(time)) this.#time = time
    const own = this.#unused(id)
    const place = { id: own, parentId: parent, timestamp: isoTime(this.#time) }
    this.entries.push({ type, ...place, ...fields } as SessionEntry)
    if (this.#time === 0) this.#untimed = this.entries.length
    this.leaf = own
    return own
  }

  /** A message; its time is that of the place. The request of a reply was not recorded, unless it says so. */
  message(place: EntryPlace, message: Untimed<Message>): string {
    const request = message.role === "assistant" && { request: "rebuilt" }
    const hasCalls = message.role === "assistant" && message.content.some(({ type }) => type === "toolCall")
    const lost = hasCalls && this.#lostResult && { lostResult: this.#lostResult }
    return this.add("message", place, {
      message: { ...request, ...lost, ...message, timestamp: isTime(place.time) ? place.time : this.#time },
    })
  }

  /** What the agent says to the person, such as an error, and not to the model. @param files that it says were changed */
  notice(place: EntryPlace, customType: string, content: string, files?: { modifiedFiles: string[] }): void {
    const details = files && { details: files }
    const targetId = this.add("custom_message", place, { customType, content, display: true, ...details })
    this.add("context_edit", { ...place, id: `${targetId}:omitted`, parent: targetId }, { targetId, replacement: null })
  }

  /** A part of the session, such as the transcript of a sub-agent, behind the call that started it. */
  part(place: EntryPlace, part: SessionPart): string {
    return this.add("custom", place, { customType: PART, data: part })
  }

  /**
   * A part whose records are among those of the session. What it used counts in entries `usage` of this writer alone, with its role.
   * @returns the writer of its entries; what is said in them is found with the session
   */
  transcript(place: EntryPlace, part: SessionPart): EntryWriter {
    const transcript = { part: { ...part }, writer: new EntryWriter(this.#lostResult) }
    this.part(place, transcript.part)
    this.transcripts.push(transcript)
    return transcript.writer
  }

  /** Gives the entries before the first time another one than that of 1970. @param time milliseconds since 1970 */
  datePrevious(time: number): void {
    if (!isTime(time)) return
    for (const [at, entry] of this.entries.slice(0, this.#untimed).entries()) {
      const message = "message" in entry && { message: { ...(entry.message as object), timestamp: time } }
      this.entries[at] = { ...entry, timestamp: isoTime(time), ...message } as SessionEntry
    }
  }

  /** Puts the name of the session before all of its entries. @param timestamp in ISO 8601 */
  nameFirst(id: string, name: string, timestamp: string): void {
    const own = this.#unused(id)
    for (const [at, entry] of this.entries.entries())
      if (entry.parentId === null) this.entries[at] = { ...entry, parentId: own }
    this.entries.unshift({ type: "session_info", id: own, parentId: null, timestamp, name } as SessionEntry)
    this.leaf ??= own
  }

  #unused(id: string): string {
    let own = id
    for (let number = 1; own === "" || this.#ids.has(own); number++) own = `${id}:${number}`
    this.#ids.add(own)
    return own
  }
}

/** The end of what a `Date` can be. Milliseconds since 1970. */
const LATEST = 8.64e15

export function isTime(time: unknown): time is number {
  return typeof time === "number" && Math.abs(time) <= LATEST
}

/** A time of a source in ISO 8601; that of 1970 where it is none. @param time milliseconds since 1970 */
export function isoTime(time: number): string {
  return new Date(isTime(time) ? time : 0).toISOString()
}

/** Each kind of message without its time. */
type Untimed<Of> = Of extends { timestamp: number } ? Omit<Of, "timestamp"> : never

/** A reply of a model, as a converter makes it. */
export type Reply = Untimed<AssistantMessage>
