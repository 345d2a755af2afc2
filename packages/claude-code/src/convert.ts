import { type Diagnostic, type SessionEntry, type SessionHeader, TreelogError } from "@treelog/session-core"
import { partData, type SessionPart } from "@treelog/session-core/adapter"
import type { ConversionReport } from "@treelog-internal/agent-files"
import { makeHeader, type PlannedHeader } from "./entries/make-header.js"
import { heldFrom } from "./link/hold-back.js"
import { completeKeys } from "./plan/complete-keys.js"
import { ForeignUsage, type TimedUsage } from "./plan/foreign-usage.js"
import { type CalledPart, isKeptResult, type PartPlace } from "./plan/part-order.js"
import { Plan } from "./plan/plan-lines.js"
import { progressTranscripts } from "./plan/progress-transcripts.js"
import { reportOf } from "./plan/report.js"
import { sideChainsOf } from "./plan/side-chains.js"
import { isKnownKind } from "./source/kinds.js"
import { isOfProgram, SourceIndex } from "./source/source-index.js"
import type { SourceRecord } from "./source/source-record.js"

/** Where a file comes from, and what it is. */
export interface ClaudeCodeOptions {
  /** The name of the file without `.jsonl`: the id of the session. */
  readonly name: string
  /** The path of the file, for the header. */
  readonly path?: string | undefined
  /** The session that this one was made from, where its lines do not say so. */
  readonly forkedFrom?: string | undefined
  /** The session of a sub-agent, if the file is the transcript of one. */
  readonly parentSession?: string | undefined
  /** Transcripts of its sub-agents, whose usage counts in the session, and results that were kept in files. */
  readonly parts?: readonly PartSource[] | undefined
  /** Whether nothing is added to the file any more: then the last reply is shown although nothing says that it is whole. */
  readonly isComplete?: boolean | undefined
}

/** A file beside a session: the transcript of a sub-agent, or a result that was too long. */
export interface PartSource {
  /** Its path below the folder of the session, such as `subagents/agent-a275ff0.jsonl` or `tool-results/b1.txt`. */
  readonly name: string
  /** Undefined of a result that is too long to be searched. */
  readonly bytes: Uint8Array | undefined
}

/** A transcript as a session. */
export interface ConvertedTranscript {
  readonly header: SessionHeader
  readonly entries: readonly SessionEntry[]
}

/** A converted session. */
export interface ConvertedSession extends ConvertedTranscript {
  /** The transcripts of sub-agents: those within the file, and its parts, but not the requests of compactions. Each is made when it is asked for. */
  readonly artifacts: Iterable<ConvertedTranscript & { readonly name: string }>
  readonly report: ConversionReport
  /** The parts that are no transcripts: empty, torn, or of another program. */
  readonly unreadableParts: readonly string[]
}

/**
 * Converts the content of a file of Claude Code.
 * @throws InvalidSessionError when nothing in it is a line of Claude Code, but for an empty one with transcripts of sub-agents
 */
export function convertClaudeCode(content: Uint8Array | string, options: ClaudeCodeOptions): ConvertedSession {
  const session = new SessionConversion(SourceIndex.of(bytesOf(content)), options)
  const { header, artifacts, unreadableParts } = session
  // The report is complete once there are entries.
  return { header, entries: [...session.entries], report: session.report, artifacts, unreadableParts }
}

/** A part, with its records where it is a transcript. */
interface Part {
  readonly name: string
  /** Undefined of a result. */
  readonly index?: SourceIndex
  /** The call that it works for, where that is known. */
  readonly call?: string | undefined
}

const NO_TIME = "1970-01-01T00:00:00.000Z"

/**
 * Converts the records of a file: its entries are made one after the other, when they are iterated.
 * @throws InvalidSessionError as `convertClaudeCode`
 */
export class SessionConversion {
  readonly header: SessionHeader
  readonly unreadableParts: readonly string[]
  readonly #options: ClaudeCodeOptions
  readonly #index: SourceIndex
  readonly #planned: PlannedHeader
  readonly #plan: Plan
  readonly #report: () => ConversionReport
  readonly #results: readonly PartSource[]
  /** By name. */
  readonly #transcripts = new Map<string, () => ConvertedTranscript>()

  constructor(index: SourceIndex, options: ClaudeCodeOptions) {
    this.#index = index
    this.#options = options
    const { parts = [], parentSession, isComplete = false } = options
    this.#results = parts.filter(({ name }) => isKeptResult(name))
    const files = parts.filter(({ name }) => !isKeptResult(name)).map(readPart)
    // Where only sub-agents are left of a session, they are all that it has.
    const left = isEmpty(index) ? files.find((part) => isTranscript(part.index)) : undefined
    if (!left && !isTranscript(index)) throw notASession(options)
    const agents = parentSession === undefined ? [...files, ...this.#nested(files)] : files
    completeKeys([index, ...agents.flatMap((agent) => agent.index ?? [])])
    this.#planned = this.#plannedHeader(left?.index ?? index)
    const all = index.records
    const chains = parentSession === undefined ? sideChainsOf(all) : []
    const isOwn = (record: SourceRecord): boolean => parentSession !== undefined || !record.isSidechain
    const heldAt = isComplete ? all.length : heldFrom(all, isOwn)
    const shown = all.slice(0, heldAt)
    const records = shown.filter(isOwn)
    for (const { root, records } of chains)
      this.#transcripts.set(sideChainName(root), () => this.#sideChain(root, records))
    for (const part of agents)
      if (!isCompactionRequest(part.name) && isTranscript(part.index))
        this.#transcripts.set(part.name, () => this.#agent(part))
    this.unreadableParts = agents.filter((part) => !isTranscript(part.index)).map(({ name }) => name)
    const beside: Part[] = [...agents.filter(({ name }) => !isCompactionRequest(name)), ...this.#results]
    const places: PartPlace[] = [
      ...chains.map(({ root, records }) => ({ name: sideChainName(root), time: records[0]?.time ?? "" })),
      ...beside.map(({ name, index, call }) => ({ name, time: index?.first.time ?? "", call })),
    ]
    const foreign = new ForeignUsage(shown, isOwn, usagesOf(agents), all[heldAt]?.time)
    const plan = this.#planOf(records, this.#planned.timestamp, foreign, places)
    this.#plan = plan
    this.#report = () => reportOf({ index, plan, records, chains: chains.flatMap((chain) => chain.records), heldAt })
    this.header = makeHeader(this.#planned)
  }

  /** Can be iterated once. */
  get entries(): Iterable<SessionEntry> {
    return this.#plan.entries()
  }

  /** Complete once the entries were iterated. */
  get report(): ConversionReport {
    const report = this.#report()
    return { ...report, diagnostics: [...report.diagnostics, ...this.unreadableParts.map(unreadablePart)] }
  }

  get artifacts(): Iterable<ConvertedTranscript & { readonly name: string }> {
    const transcripts = this.#transcripts
    return {
      *[Symbol.iterator]() {
        for (const [name, make] of transcripts) yield { name, ...make() }
      },
    }
  }

  #plannedHeader({ first }: SourceIndex): PlannedHeader {
    const { name, path, parentSession, forkedFrom } = this.#options
    return {
      id: name,
      timestamp: first.time ?? NO_TIME,
      cwd: first.cwd ?? "",
      countedIn: parentSession,
      parentSession: parentSession ?? first.forkedFrom ?? forkedFrom,
      version: first.version,
      gitBranch: first.gitBranch,
      path,
      isSdk: isOfProgram(first),
    }
  }

  #planOf(
    records: readonly SourceRecord[],
    startTime: string,
    foreign: ForeignUsage,
    parts: readonly PartPlace[],
  ): Plan {
    const { requests } = this.#index
    return new Plan({ records, startTime, foreign, parts, partData: this.#partData, requests })
  }

  readonly #partData = ({ part: { name }, call }: CalledPart, toolName: string | undefined): object => {
    const result = this.#results.find((one) => one.name === name)
    const part: SessionPart = { name, role: result ? "result" : "subagent", ...(call !== undefined && { call }) }
    if (result) return { ...part, ...textOfResult(result, toolName) }
    const transcript = this.#transcripts.get(name)
    return transcript ? partData(part, transcript().entries) : { ...part, error: NO_TRANSCRIPT }
  }

  #sideChain(root: string, records: readonly SourceRecord[]): ConvertedTranscript {
    const timestamp = records[0]?.time ?? NO_TIME
    const { name } = this.#options
    const header = makeHeader({ ...this.#planned, id: root, parentSession: name, countedIn: name, timestamp })
    const foreign = new ForeignUsage([], () => false, [], undefined)
    return { header, entries: [...this.#planOf(records, timestamp, foreign, []).entries()] }
  }

  #agent({ name, index }: Part): ConvertedTranscript {
    const file = name.slice(name.lastIndexOf("/") + 1).replace(/\.jsonl$/, "")
    const options = { name: file, parentSession: this.#options.name }
    const { header, entries } = new SessionConversion(index ?? new SourceIndex(), options)
    return { header, entries: [...entries] }
  }

  /** Transcripts that the session's own lines hold. */
  #nested(files: readonly Part[]): Part[] {
    const names = new Set(files.map(({ name }) => name.slice(name.lastIndexOf("/") + 1)))
    const found = progressTranscripts(this.#index.records, (agent) => names.has(`agent-${agent}.jsonl`))
    return found.map((one) => ({ ...readPart(one), call: one.call }))
  }
}

function bytesOf(content: Uint8Array | string): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content
}

function readPart({ name, bytes }: PartSource): Part {
  return { name, index: SourceIndex.of(bytes ?? new Uint8Array()) }
}

function isEmpty({ records, blankLines, isTorn }: SourceIndex): boolean {
  return records.length === 0 && blankLines === 0 && !isTorn
}

/** Responses of sub-agents, in the order of time. */
function usagesOf(agents: readonly Part[]): TimedUsage[] {
  const usages: TimedUsage[] = []
  for (const { index } of agents)
    for (const record of index?.records ?? []) if (record.usage) usages.push({ record, time: record.time ?? "" })
  return usages.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
}

function notASession({ path, name }: ClaudeCodeOptions): TreelogError {
  const key = path ?? name
  const message = `${key} is no session of Claude Code: none of its lines is one that Claude Code writes.`
  return new TreelogError("InvalidSessionError", message, { key, found: "no line of Claude Code" })
}

/** The requests that compactions made have the form of transcripts. Their usage counts, but nothing was said in them. */
function isCompactionRequest(name: string): boolean {
  return name.slice(name.lastIndexOf("/") + 1).startsWith("agent-acompact-")
}

/** A longer result is not searched. Bytes. */
export const LONGEST_RESULT = 64 * 1024 * 1024

/** What is searched of a result that was kept in a file; nothing of one that is no text. */
function textOfResult({ bytes }: PartSource, tool: string | undefined): object {
  if (!bytes) return { error: `it is larger than ${LONGEST_RESULT} bytes, and not searched` }
  const text = new TextDecoder().decode(bytes)
  return text.includes("\0") ? {} : { texts: [{ role: "toolResult", text, ...(tool && { tool }) }] }
}

const NO_TRANSCRIPT = "none of its lines is one that Claude Code writes"

function isTranscript(index: SourceIndex | undefined): boolean {
  return index?.records.some(({ kind }) => isKnownKind(kind)) === true
}

function unreadablePart(name: string): Diagnostic {
  return { kind: "unreadable-part", message: `${name} is no transcript of a sub-agent: ${NO_TRANSCRIPT}.` }
}

function sideChainName(root: string): string {
  return `sidechain-${root}.jsonl`
}
