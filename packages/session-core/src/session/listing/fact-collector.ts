import { givenName, type SessionEntry } from "../../entry/entry.js"
import { sourceOf } from "../../entry/session-origin.js"
import { addUsages, type ModelUsage, reportedModel, reportedUsage, usagesOf } from "../../entry/usage.js"
import { isJsonObject, type JsonObject, messageText, millisOf, textIn } from "../../entry/values.js"
import type { MessageSketch } from "../../log/scan-message.js"
import type { LogOutline } from "../../log/session-log.js"
import type { StorageStat } from "../../ports/session-source.js"
import { repositoryIn } from "./is-of-folder.js"
import type { SessionFacts, SessionStatus, SessionSummary } from "./session-info.js"

/** Texts are empty and times 0 where there is none. */
type Collected = {
  -readonly [Key in Exclude<keyof SessionFacts, "size" | "error" | "kind" | "usages">]-?: Required<SessionFacts>[Key]
}

/** Collects the facts that a list shows from the header and the entries of a session, one after the other. */
export class FactCollector {
  readonly #facts: Collected = {
    id: "",
    cwd: "",
    repository: "",
    name: "",
    parentSession: "",
    otherContentOf: "",
    agent: "",
    person: "",
    created: 0,
    modified: 0,
    messageCount: 0,
    firstMessage: "",
    status: "unknown",
    model: "",
  }
  /** Who had a session that was converted from another agent's; undefined of others. */
  #hadBy: "person" | "sdk" | "subtask" | undefined
  #isArchived = false
  readonly #usages: ModelUsage[] = []

  /** @param former the facts of the entries before */
  constructor(former?: SessionSummary) {
    if (!former) return
    const { info = former.info, created, modified } = former.resume
    const { kind, usages = [], ...facts } = info
    if (kind === "archived") this.#isArchived = true
    else if (kind !== undefined) this.#hadBy = kind === "empty" ? "person" : kind
    Object.assign(this.#facts, facts, { created, modified })
    addUsages(this.#usages, usages)
  }

  /** The times in the header and in the newest message. */
  get times(): { created: number; modified: number } {
    const { created, modified } = this.#facts
    return { created, modified }
  }

  facts({ size }: StorageStat): SessionFacts {
    const { id, cwd, repository, name, parentSession, otherContentOf, agent, person, created } = this.#facts
    const { messageCount, firstMessage, status, model } = this.#facts
    const kind = this.#kind()
    return {
      id,
      cwd,
      ...(repository && { repository }),
      ...(name && { name }),
      ...(parentSession && { parentSession }),
      ...(otherContentOf && { otherContentOf }),
      ...(agent && { agent }),
      ...(person && { person }),
      created,
      modified: this.#facts.modified || created,
      messageCount,
      firstMessage,
      size,
      status,
      ...(model && { model }),
      ...(kind && { kind }),
      ...(this.#usages.length > 0 && { usages: copied(this.#usages) }),
    }
  }

  #kind(): SessionFacts["kind"] {
    if (this.#hadBy !== undefined && this.#facts.messageCount === 0) return "empty"
    if (this.#isArchived) return "archived"
    return this.#hadBy === "person" ? undefined : this.#hadBy
  }

  addHeader({ header, titleSlot }: Pick<LogOutline, "header" | "titleSlot">): void {
    this.#facts.id = header.id
    this.#facts.cwd = textIn(header.cwd)
    this.#facts.repository = repositoryIn(header)
    this.#facts.parentSession = textIn(header.parentSession)
    this.#facts.otherContentOf = textIn(header.otherContentOf)
    const { agent = "", person = "" } = sourceOf(header)
    Object.assign(this.#facts, { agent, person })
    this.#facts.created = millisOf(header.timestamp)
    this.#facts.name = titleSlot?.title ?? textIn(header.title)
    const source = isJsonObject(header.source) ? header.source : undefined
    const kind = source?.kind
    this.#hadBy = source && (kind === "sdk" || kind === "subtask" ? kind : "person")
    this.#isArchived = source?.archived === true
  }

  addEntry(entry: JsonObject): void {
    const known = entry as unknown as SessionEntry
    addUsages(this.#usages, usagesOf(known))
    this.#facts.name = givenName(known) ?? this.#facts.name
    if (entry.type === "message") this.#addMessage(entry)
  }

  /** `addEntry` of a message of which only this much was read. */
  addSketch(message: MessageSketch): void {
    this.#count(message.role, message.role === "assistant" ? message.stopReason : undefined)
    if (message.role !== "assistant") return
    this.#facts.modified = Math.max(this.#facts.modified, message.timestamp)
    const model = reportedModel(message.provider, message.model)
    this.#facts.model = model ?? this.#facts.model
    const usage = reportedUsage(message.usage, model)
    if (usage) addUsages(this.#usages, [usage])
  }

  #addMessage({ message, timestamp }: JsonObject): void {
    const said = isJsonObject(message) ? message : {}
    const { role, stopReason, timestamp: time, provider, model } = said
    this.#count(role, stopReason)
    if (role !== "user" && role !== "assistant") return
    this.#facts.modified = Math.max(this.#facts.modified, typeof time === "number" ? time : millisOf(timestamp))
    if (role === "assistant") this.#facts.model = reportedModel(provider, model) ?? this.#facts.model
    if (role === "user" && this.#facts.firstMessage === "") this.#facts.firstMessage = messageText(said)
  }

  #count(role: unknown, stopReason: unknown): void {
    this.#facts.messageCount += 1
    this.#facts.status = statusAfter(role, stopReason) ?? this.#facts.status
  }
}

/** The sums themselves continue. */
function copied(usages: readonly ModelUsage[]): ModelUsage[] {
  return usages.map((one) => ({ ...one, usage: { ...one.usage } }))
}

/** Undefined for messages that are not part of a turn, such as a bash run. */
function statusAfter(role: unknown, stopReason: unknown): SessionStatus | undefined {
  if (role === "user") return userStatus(stopReason)
  if (role === "toolResult") return stopReason === "stop" ? "complete" : "interrupted"
  if (role !== "assistant") return undefined
  if (stopReason === "toolUse") return "interrupted"
  return stopReason === "aborted" || stopReason === "error" ? stopReason : "complete"
}

/** Another agent's message of the user can report that the user stopped the reply, or that no reply was to come. */
function userStatus(stopReason: unknown): SessionStatus | undefined {
  if (stopReason === "aborted") return "aborted"
  return stopReason === undefined ? "pending" : undefined
}
