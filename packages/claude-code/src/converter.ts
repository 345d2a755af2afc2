import { type Diagnostic, type SessionEntry, TreelogError } from "@treelog/session-core"
import { formatLine, partData, type SessionPart } from "@treelog/session-core/adapter"
import type { ConversionReport, ConvertedLines } from "@treelog-internal/agent-files"
import { type EncodedLine, EntryMaker, makeHeader, messageOf } from "./entries/make-entry.js"
import { isJsonObject, type JsonObject } from "./json-values.js"
import { heldFrom } from "./link/hold-back.js"
import { ForeignUsage, type TimedUsage } from "./plan/foreign-usage.js"
import { isKeptResult } from "./plan/part-order.js"
import { type Plan, planLines } from "./plan/plan-lines.js"
import { isSameLine, type LineOf, type PartPlace, type PlannedHeader, type PlannedLine } from "./plan/planned-line.js"
import { progressTranscripts } from "./plan/progress-transcripts.js"
import { reportOf } from "./plan/report.js"
import { type SideChain, sideChainsOf } from "./plan/side-chains.js"
import { type ByteSource, type Latin1, RecordReader } from "./source/byte-source.js"
import { IdTable } from "./source/id-table.js"
import { isKnownKind } from "./source/kinds.js"
import { shortForm } from "./source/record-head.js"
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
}

/** A file beside a session: the transcript of a sub-agent, or a result that was too long. */
export interface PartSource {
  /** Its path below the folder of the session, such as `subagents/agent-a275ff0.jsonl` or `tool-results/b1.txt`. */
  readonly name: string
  readonly source: ByteSource
  /** The call that it works for, where that is known. */
  readonly call?: string | undefined
}

/** The transcript of a sub-agent as a session. */
export interface ConvertedTranscript {
  /** Such as `subagents/agent-a275ff0.jsonl`. */
  readonly name: string
  /** The header first. Can be iterated once. */
  readonly lines: Iterable<object>
}

const NO_TIME = "1970-01-01T00:00:00.000Z"

/**
 * Converts the file of a session of Claude Code. It reads the file twice: once for what linking needs, and again for the entries as they are
 * iterated, so that memory does not grow with the texts. When the file has grown, it reads only what was added.
 */
export class ClaudeCodeConverter {
  readonly #options: ClaudeCodeOptions
  readonly #isSubagent: boolean
  readonly #ids = new IdTable()
  #index = new SourceIndex(this.#ids)
  readonly #agents = new Map<string, SourceIndex>()
  #state: State | undefined
  #source: ByteSource | undefined
  #subagents: readonly PartSource[] = []
  #kept: readonly PartSource[] = []
  /** Bytes that the source had at the last update. */
  #size = 0

  constructor(options: ClaudeCodeOptions) {
    this.#options = options
    this.#isSubagent = options.parentSession !== undefined
  }

  /**
   * Converts up to the present end of the source, which must be the same one, or what it has become by growing.
   * @param parts transcripts of its sub-agents, whose usage counts in the session, and results that were kept in files
   * @param isComplete whether nothing is added to the source any more: then the last reply is shown although nothing says that it is whole
   * @returns lines that are valid until the next update
   * @throws InvalidSessionError when nothing in the source is a line of Claude Code, but for an empty one with transcripts of sub-agents
   */
  update(source: ByteSource, parts: readonly PartSource[] = [], isComplete = false): ConvertedLines {
    const subagents = parts.filter(({ name }) => !isKeptResult(name))
    this.#kept = parts.filter(({ name }) => isKeptResult(name))
    const isShorter = source.size < this.#size
    if (isShorter) this.#index = new SourceIndex(this.#ids)
    const before = isShorter ? undefined : this.#state
    this.#size = source.size
    this.#source = source
    this.#index.update(source)
    this.#subagents = this.#isSubagent ? subagents : [...subagents, ...this.#nested(source, subagents)]
    this.#readAgents()
    // Where only sub-agents are left of a session, they are all that it has.
    const isLeft = source.size === 0 && subagents.some(({ name }) => isTranscript(this.#agents.get(name)))
    if (!isLeft && !isTranscript(this.#index)) throw this.#notASession()
    const state = this.#plan(source, isComplete)
    this.#state = state
    const kept = before ? commonLines(before, state) : 0
    return { kept, lines: this.#linesFrom(state, source, kept) }
  }

  /**
   * @internal The lines of the last update as they stand in a file, which takes less time than to make objects and to write them.
   * @param kept how many lines remain from the update before
   */
  *formatted(kept: number, latin1: Latin1): Generator<EncodedLine> {
    const { state, source } = this.#current()
    if (kept === 0) yield { text: formatLine(makeHeader(state.header)), encoding: "utf8" }
    const maker = new EntryMaker(new RecordReader(source, latin1), this.#partData, this.#index.requests)
    for (const line of plannedFrom(state.plan, kept)) yield maker.format(line)
  }

  /** What became of each line. @throws InvalidArgumentError before the first update */
  get report(): ConversionReport {
    const { plan, records, chains, heldAt } = this.#current().state
    const report = reportOf({
      index: this.#index,
      plan,
      records,
      chains: chains.flatMap((chain) => chain.records),
      heldAt,
    })
    return { ...report, diagnostics: [...report.diagnostics, ...this.unreadableParts.map(unreadablePart)] }
  }

  /** The files of sub-agents that are no transcripts: empty, torn, or of another program. */
  get unreadableParts(): readonly string[] {
    return this.#subagents.filter(({ name }) => !isTranscript(this.#agents.get(name))).map(({ name }) => name)
  }

  /** The transcripts of sub-agents: side chains in the file itself, and those of the last update. The requests of compactions are none. */
  *artifacts(): Generator<ConvertedTranscript> {
    for (const { name, lines } of this.#transcripts()) yield { name, lines: lines() }
  }

  /** Each is planned or read when its lines are asked for. */
  *#transcripts(): Generator<{ name: string; lines: () => Iterable<object> }> {
    const { state, source } = this.#current()
    for (const { root, records } of state.chains) {
      const timestamp = records[0]?.time ?? NO_TIME
      const header = {
        ...state.header,
        id: root,
        parentSession: this.#options.name,
        countedIn: this.#options.name,
        timestamp,
      }
      const none = new ForeignUsage([], () => false, [], undefined)
      const lines = (): Iterable<object> =>
        this.#linesFrom({ header, plan: this.#planTranscript(records, source, timestamp, none, []) }, source, 0)
      yield { name: sideChainName(root), lines }
    }
    for (const { name, source } of this.#subagents) {
      if (isCompactionRequest(name) || !isTranscript(this.#agents.get(name))) continue
      const file = name.slice(name.lastIndexOf("/") + 1).replace(/\.jsonl$/, "")
      const converter = new ClaudeCodeConverter({ name: file, parentSession: this.#options.name })
      yield { name, lines: () => converter.update(source).lines }
    }
  }

  readonly #partData = ({ part: { name }, call, toolName }: LineOf<"part">): object => {
    const kept = this.#kept.find((one) => one.name === name)
    const part: SessionPart = { name, role: kept ? "result" : "subagent", ...(call !== undefined && { call }) }
    if (kept) return { ...part, ...textOfResult(kept.source, toolName) }
    for (const transcript of this.#transcripts()) {
      if (transcript.name !== name) continue
      const [, ...entries] = transcript.lines()
      return partData(part, entries as SessionEntry[])
    }
    return { ...part, error: NO_TRANSCRIPT }
  };

  *#linesFrom({ header, plan }: Pick<State, "header" | "plan">, source: ByteSource, kept: number): Generator<object> {
    if (kept === 0) yield makeHeader(header)
    const maker = new EntryMaker(new RecordReader(source), this.#partData, this.#index.requests)
    for (const line of plannedFrom(plan, kept)) yield maker.make(line)
  }

  #partPlaces(chains: readonly SideChain[]): PartPlace[] {
    const files = this.#subagents.filter(({ name }) => !isCompactionRequest(name))
    return [
      ...chains.map(({ root, records }) => ({
        name: sideChainName(root),
        size: records.length,
        time: records[0]?.time ?? "",
      })),
      ...[...files, ...this.#kept].map(({ name, source: { size }, call }) => ({
        name,
        size,
        time: this.#agents.get(name)?.first.time ?? "",
        ...(call !== undefined && { call }),
      })),
    ]
  }

  #current(): { state: State; source: ByteSource } {
    if (this.#state && this.#source) return { state: this.#state, source: this.#source }
    const message = "Nothing was converted yet: call update() first."
    throw new TreelogError("InvalidArgumentError", message, { argument: "source", value: undefined })
  }

  #plan(source: ByteSource, isComplete: boolean): State {
    const transcripts = this.#subagents.map(({ name }) => this.#agents.get(name))
    const { first } = source.size === 0 ? (transcripts.find(isTranscript) ?? this.#index) : this.#index
    const all = this.#index.records
    const chains = this.#isSubagent ? [] : sideChainsOf(all)
    const isOwn = (record: SourceRecord): boolean => this.#isSubagent || !record.isSidechain
    const heldAt = isComplete ? all.length : heldFrom(all, isOwn)
    const shown = heldAt === all.length ? all : all.slice(0, heldAt)
    const records = shown.every(isOwn) ? shown.slice() : shown.filter(isOwn)
    const foreign = new ForeignUsage(shown, isOwn, this.#agentUsage(), all[heldAt]?.time)
    const header: PlannedHeader = {
      id: this.#options.name,
      timestamp: first.time ?? NO_TIME,
      cwd: first.cwd ?? "",
      countedIn: this.#options.parentSession,
      parentSession: this.#options.parentSession ?? first.forkedFrom ?? this.#options.forkedFrom,
      version: first.version,
      gitBranch: first.gitBranch,
      path: this.#options.path,
      isSdk: isOfProgram(first),
    }
    const plan = this.#planTranscript(records, source, header.timestamp, foreign, this.#partPlaces(chains))
    return { header, records, chains, heldAt, plan }
  }

  #planTranscript(
    records: readonly SourceRecord[],
    source: ByteSource,
    startTime: string,
    foreign: ForeignUsage,
    parts: readonly PartPlace[],
  ): Plan {
    const reader = new RecordReader(source)
    const isSameContent = (a: SourceRecord, b: SourceRecord): boolean =>
      contentText(reader, a) === contentText(reader, b)
    const contentKey = (record: SourceRecord): string => shortForm(contentText(reader, record))
    return planLines({
      records,
      ids: this.#ids,
      contentKey,
      isSameContent,
      places: this.#index.places,
      startTime,
      foreign,
      parts,
    })
  }

  /** Transcripts that the session's own lines hold. */
  #nested(source: ByteSource, files: readonly PartSource[]): PartSource[] {
    const names = new Set(files.map(({ name }) => name.slice(name.lastIndexOf("/") + 1)))
    return progressTranscripts(this.#index.records, new RecordReader(source), (agent) =>
      names.has(`agent-${agent}.jsonl`),
    )
  }

  #readAgents(): void {
    for (const { name, source } of this.#subagents) {
      const index = this.#agents.get(name) ?? new SourceIndex(this.#ids)
      this.#agents.set(name, index)
      index.update(source)
    }
  }

  /** Responses of sub-agents, in the order of time. */
  #agentUsage(): TimedUsage[] {
    const usages: TimedUsage[] = []
    for (const { name } of this.#subagents)
      for (const record of this.#agents.get(name)?.records ?? [])
        if (record.hasUsage) usages.push({ record, time: record.time ?? "" })
    return usages.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
  }

  #notASession(): TreelogError {
    const key = this.#options.path ?? this.#options.name
    const message = `${key} is no session of Claude Code: none of its lines is one that Claude Code writes.`
    return new TreelogError("InvalidSessionError", message, { key, found: "no line of Claude Code" })
  }
}

/** One conversion of the file as it is. */
interface State {
  readonly header: PlannedHeader
  /** Those of the transcript that are shown. */
  readonly records: readonly SourceRecord[]
  readonly chains: readonly SideChain[]
  /** From this record of the file on, lines are held back. */
  readonly heldAt: number
  readonly plan: Plan
}

/** The requests that compactions made have the form of transcripts. Their usage counts, but nothing was said in them. */
function isCompactionRequest(name: string): boolean {
  return name.slice(name.lastIndexOf("/") + 1).startsWith("agent-acompact-")
}

/** A longer one is not searched. Bytes. */
const LONGEST_RESULT = 64 * 1024 * 1024

/** What is searched of a result that was kept in a file; nothing of one that is no text. */
function textOfResult(source: ByteSource, tool: string | undefined): object {
  const { size } = source
  if (size > LONGEST_RESULT) return { error: `it is larger than ${LONGEST_RESULT} bytes, and not searched` }
  const text = new TextDecoder().decode(source.read(0, size))
  return text.includes("\0") ? {} : { texts: [{ role: "toolResult", text, ...(tool && { tool }) }] }
}

/** How many lines of both are the same from the start, with the header. */
function commonLines(before: State, now: State): number {
  if (!isSameLine(before.header, now.header)) return 0
  const [a, b] = [before.plan.lines, now.plan.lines]
  let count = 0
  while (count < a.length && count < b.length && isSameLine(a[count] as PlannedLine, b[count] as PlannedLine))
    count += 1
  return count + 1
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

/** @param kept lines, the header first */
function* plannedFrom({ lines }: Plan, kept: number): Generator<PlannedLine> {
  for (let at = Math.max(0, kept - 1); at < lines.length; at++) yield lines[at] as PlannedLine
}

function contentText(reader: RecordReader, record: SourceRecord): string {
  const value: unknown = JSON.parse(reader.text(record))
  const object: JsonObject = isJsonObject(value) ? value : {}
  return JSON.stringify(messageOf(object).content ?? object.attachment ?? object)
}
