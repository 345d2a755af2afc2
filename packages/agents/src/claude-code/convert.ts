import { type SessionEntry, type SessionHeader, TreelogError } from "@treelog/session-core"
import { partData } from "@treelog/session-core/adapter"
import { type ConversionReport, wasRecord } from "@treelog-internal/agent-files"
import { type FileState, Resuming } from "./going-on.js"
import { heldFrom } from "./link/hold-back.js"
import { baseName, isCompactionRequest, type Part } from "./parts.js"
import { completeKeys } from "./plan/complete-keys.js"
import { EarlierRecords } from "./plan/earlier-records.js"
import { foreignUsage } from "./plan/foreign-usage.js"
import { isKeptResult, type PartPlace } from "./plan/part-order.js"
import { Plan, type PlanInput } from "./plan/plan.js"
import { progressTranscripts } from "./plan/progress-transcripts.js"
import { reportOf } from "./plan/report.js"
import { separateResponses } from "./plan/shared-ids.js"
import { sideChainsOf } from "./plan/side-chains.js"
import { standsApart } from "./plan/stands-apart.js"
import { isKnownKind } from "./source/kinds.js"
import { isOfProgram, SourceIndex } from "./source/source-index.js"
import type { RecordPlace, SourceRecord } from "./source/source-record.js"
import { folderOf } from "./store/project-folders.js"

/** Where a file comes from, and what it is. */
export interface ClaudeCodeOptions extends NotedBeside {
  /** The name of the file without `.jsonl`: the id of the session. */
  readonly name: string
  /** The path of the file, for the header. */
  readonly path?: string | undefined
  /** The session that this one was made from, where its lines do not say so. */
  readonly forkedFrom?: string | undefined
  /** The session of a sub-agent, if the file is the transcript of one. Default: of a file `agent-*.jsonl`, the one that its lines name. */
  readonly parentSession?: string | undefined
  /** Transcripts of its sub-agents, whose usage counts in the session, and results that were kept in files. */
  readonly parts?: readonly PartSource[] | undefined
  /** Whether nothing is added to the file any more: then the last reply is shown although nothing says that it is whole. */
  readonly isComplete?: boolean | undefined
  /** Whether only a context is wanted, which has nothing of sub-agents: what they said and used is left out. */
  readonly isContext?: boolean | undefined
}

/** What is noted of a session beside its file, by Claude Code or by the app of Claude. */
export interface NotedBeside {
  /** Its title: counts before those in the file. */
  readonly title?: string | undefined
  /** The folder that a person gave it. Default: where it worked. */
  readonly cwd?: string | undefined
  /** When it was archived: it is until the next prompt. Milliseconds since 1970; `Infinity` where no prompt takes it back. */
  readonly archivedAt?: number | undefined
  /** Whether a person has it in the app, whatever its lines say of a program. */
  readonly isOfApp?: boolean | undefined
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

/** A conversion whose entries are made one after the other, when they are iterated, which they can be once. */
export interface SessionConversion extends Omit<ConvertedSession, "entries" | "report"> {
  readonly entries: Iterable<SessionEntry>
  /** Complete once the entries were iterated. */
  report(): ConversionReport
  /** Whether a record was linked to the one before it, by time. */
  readonly isRelinked: boolean
  /** Where a conversion of the same file can go on, once the entries before that place were iterated. */
  stateToResume(): FileState | undefined
}

/** Where a conversion goes on, and where a later one may. */
export interface Resumption {
  readonly from?: FileState | undefined
  /** Between which offsets in the file. Bytes */
  readonly placeIn?: readonly [from: number, to: number] | undefined
}

/**
 * Converts the content of a file of Claude Code.
 * @throws InvalidSessionError when nothing in it is a line of Claude Code, but for an empty one with transcripts of sub-agents
 */
export function convertClaudeCode(content: Uint8Array | string, options: ClaudeCodeOptions): ConvertedSession {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  const { header, entries, report, artifacts, unreadableParts } = convertRecords(SourceIndex.of(bytes), options)
  return { header, entries: [...entries], report: report(), artifacts, unreadableParts }
}

const NO_TIME = "1970-01-01T00:00:00.000Z"
const NO_TRANSCRIPT = "none of its lines is one that Claude Code writes"

/** The records of a file as a session: which of them are shown, and what else counts in it. */
interface Transcript {
  readonly header: SessionHeader
  /** Of a transcript within the session. */
  readonly headerOf: (id: string, timestamp?: string, parent?: string, countedIn?: string) => SessionHeader
  readonly chains: ReadonlyMap<string, SourceRecord[]>
  /** In the transcript, up to where the rest is held back. */
  readonly records: readonly SourceRecord[]
  readonly heldAt: number
  readonly foreign: ReturnType<typeof foreignUsage>
  /** Whether these records say which of them are one response. */
  readonly areIdsKnown: boolean
}

/**
 * Reads the records of a file as a session.
 * @param agents transcripts of its sub-agents
 * @throws InvalidSessionError as `convertClaudeCode`
 */
export function transcriptOf(
  index: SourceIndex,
  agents: readonly Part[],
  options: ClaudeCodeOptions,
  from?: FileState,
): Transcript {
  const { path, forkedFrom, isComplete = false, title, cwd, archivedAt, isOfApp = false } = options
  const id = index.printed.sessionId ?? options.name
  // The file of a sub-agent, when it is opened by its path, says whose it is.
  const parentSession = options.parentSession ?? (/^agent-/.test(id) ? index.first.sessionId : undefined)
  // Where only sub-agents are left of a session, they are all that it has.
  const left = isEmpty(index) ? agents.find((part) => isTranscript(part.index)) : undefined
  if (!left && !from && !isTranscript(index)) throw notASession(path ?? id, index)
  const isPart = parentSession !== undefined
  const all = index.records
  const files = [index, ...agents.map((agent) => agent.index)]
  completeKeys(files)
  const areIdsKnown = separateResponses(files)
  const chains = isPart ? new Map<string, SourceRecord[]>() : sideChainsOf(all)
  const isOwn = (record: SourceRecord): boolean => isPart || !record.isSidechain
  const heldAt = (isComplete ? undefined : heldFrom(all, isOwn, from?.earlier)) ?? all.length
  const shown = all.slice(0, heldAt)
  const records = shown.filter(isOwn)

  // A prompt behind the mark takes it back.
  const isArchived =
    archivedAt !== undefined &&
    !(from && from.earlier.prompted > archivedAt) &&
    !records.some(({ role, millis }) => role === "prompt" && millis > archivedAt)
  const { first, lastCwd } = left?.index ?? index
  const headerOf: Transcript["headerOf"] = (id, timestamp = NO_TIME, parent, countedIn) => ({
    type: "session",
    version: 3,
    id,
    timestamp,
    cwd: cwd ?? folderOf(first.cwd ?? "", lastCwd, path),
    ...(title !== undefined && countedIn === undefined && { title }),
    ...(parent !== undefined && { parentSession: parent }),
    ...(countedIn !== undefined && { countedIn }),
    source: {
      agent: "claude-code",
      ...(first.version !== undefined && { version: first.version }),
      ...(first.gitBranch !== undefined && { gitBranch: first.gitBranch }),
      ...(first.repository !== undefined && { repository: first.repository }),
      ...(path !== undefined && { path }),
      ...(isOfProgram(first) && !isOfApp && { kind: "sdk" }),
      ...(isArchived && countedIn === undefined && { archived: true }),
    },
  })
  const header = headerOf(id, first.timestamp, parentSession ?? first.forkedFrom ?? forkedFrom, parentSession)
  const foreign = foreignUsage(shown, isOwn, usagesOf(agents), all[heldAt]?.time)
  return { header, headerOf, chains, records, heldAt, foreign, areIdsKnown }
}

/**
 * Converts the records of a file.
 * @throws InvalidSessionError as `convertClaudeCode`
 */
export function convertRecords(
  index: SourceIndex,
  options: ClaudeCodeOptions,
  { from, placeIn }: Resumption = {},
): SessionConversion {
  const { parts = [], isContext = false } = options
  const id = index.printed.sessionId ?? options.name
  const results = parts.filter(({ name }) => isKeptResult(name))
  const files = parts.filter(({ name }) => !isKeptResult(name)).map(readPart)
  const names = [...(from?.parts ?? []), ...files.map(({ name }) => name)]
  const hasNested = options.parentSession === undefined && !isContext
  const agents = hasNested ? [...files, ...nestedParts(index.records, names)] : files
  const { header, headerOf, chains, records, heldAt, foreign } = transcriptOf(index, agents, options, from)

  const transcripts = new Map<string, () => ConvertedTranscript>()
  for (const [root, records] of chains)
    transcripts.set(sideChainName(root), () => {
      const header = headerOf(root, records[0]?.time, id, id)
      return { header, entries: [...planOf(records, header).entries()] }
    })
  for (const { name, index } of agents)
    if (!isCompactionRequest(name) && isTranscript(index))
      transcripts.set(name, () => {
        const agent = convertRecords(index, { name: baseName(name).replace(/\.jsonl$/, ""), parentSession: id })
        return { header: agent.header, entries: [...agent.entries] }
      })

  const partDataOf: PlanInput["partData"] = ({ name, call }, tool) => {
    const result = results.find((one) => one.name === name)
    const part: Parameters<typeof partData>[0] = {
      name,
      role: result ? "result" : "subagent",
      ...(call !== undefined && { call }),
    }
    if (result) return { ...part, ...textOfResult(result, tool) }
    if (isContext) return part
    const transcript = transcripts.get(name)
    return transcript ? partData(part, transcript().entries) : { ...part, error: NO_TRANSCRIPT }
  }
  const planOf = (
    records: readonly SourceRecord[],
    { timestamp: startTime, title }: SessionHeader,
    foreign: PlanInput["foreign"] = new Map(),
    parts: readonly PartPlace[] = [],
    more: Pick<PlanInput, "before" | "quietPlace"> = {},
  ): Plan =>
    new Plan({ records, startTime, title, foreign, parts, partData: partDataOf, requests: index.requests, ...more })

  const places: PartPlace[] = [
    ...[...chains].map(([root, [start]]) => ({ name: sideChainName(root), time: start?.time })),
    ...agents
      .filter(({ name }) => !isCompactionRequest(name))
      .map(({ name, index, call }) => ({ name, time: index.first.timestamp, call })),
    ...results,
  ]
  const kept = results.map(({ name }) => name)
  const heldSince = index.records[heldAt]?.time
  const starts = [...chains].map(([root, [first]]) => [sideChainName(root), first] as const)
  const resuming =
    placeIn && new Resuming({ index, records, chains: starts, header, agents, results: kept, foreign, heldSince, from })
  const before = from && { ...from.before, node: { ...from.before.node, place: placeOf(index, from) } }
  const start = before ? { ...header, timestamp: before.time } : header
  const plan = planOf(records, start, foreign, places, { before, quietPlace: placeIn && resuming?.placeIn(...placeIn) })
  const unreadableParts = agents.filter((part) => !isTranscript(part.index)).map(({ name }) => name)
  return {
    header,
    entries: plan.entries(),
    unreadableParts,
    isRelinked: plan.diagnostics.some(({ kind }) => kind === "missing-parent"),
    stateToResume: () => plan.quietState && resuming?.stateOf(plan.quietState),
    report: () => {
      const report = reportOf(index, plan, records, [...chains.values()].flat(), heldAt)
      const unreadable = unreadableParts.map((name) => ({
        kind: "unreadable-part" as const,
        message: `${name} is no transcript of a sub-agent: ${NO_TRANSCRIPT}.`,
      }))
      const ofParts = agents.flatMap(({ name, index, isFile }) => {
        const faults = isFile && isTranscript(index) ? index.faults : []
        return faults.map(({ diagnostic: { kind, message } }) => ({ kind, message: `${name}: ${message}` }))
      })
      return { ...report, diagnostics: [...report.diagnostics, ...unreadable, ...ofParts] }
    },
    artifacts: {
      *[Symbol.iterator]() {
        for (const [name, make] of transcripts) yield { name, ...make() }
      },
    },
  }
}

/**
 * Converts the records behind a place; undefined where one of them, or a part, has to do with what stands before it.
 * @param index made with what the lines before said
 */
export function resumeRecords(
  index: SourceIndex,
  options: ClaudeCodeOptions,
  { from, placeIn }: Resumption & { readonly from: FileState },
): SessionConversion | undefined {
  const { parts = [] } = options
  const earlier = new EarlierRecords(from.earlier)
  const [results, agents] = [
    parts.filter(({ name }) => isKeptResult(name)),
    parts.filter(({ name }) => !isKeptResult(name)),
  ]
  const isApart =
    standsApart(index.records, earlier) &&
    earlier.areBehind(
      agents.map(readPart),
      results.map(({ name }) => name),
    ) &&
    nestedParts(index.records, [...from.parts, ...agents.map(({ name }) => name)]).length === 0
  const conversion = isApart ? convertRecords(index, options, { from, placeIn }) : undefined
  const isSame = conversion && JSON.stringify(conversion.header) === JSON.stringify(from.header)
  return isSame && !conversion.isRelinked ? conversion : undefined
}

function placeOf(index: SourceIndex, { before }: FileState): RecordPlace | undefined {
  const { place } = before.node
  return place && index.placeFor(place)
}

function readPart({ name, bytes = new Uint8Array() }: PartSource): Part {
  return { name, index: SourceIndex.of(bytes), isFile: true }
}

/** Transcripts that the session's own lines hold. */
function nestedParts(records: readonly SourceRecord[], files: readonly string[]): Part[] {
  const names = new Set(files.map(baseName))
  const found = progressTranscripts(records, (agent) => names.has(`agent-${agent}.jsonl`))
  return found.map((one) => ({ ...readPart(one), isFile: false, call: one.call }))
}

function isEmpty({ records, blankLines, isTorn }: SourceIndex): boolean {
  return records.length === 0 && blankLines === 0 && !isTorn
}

/** Responses of sub-agents, in the order of time. */
function usagesOf(agents: readonly Part[]): { record: SourceRecord; time: string }[] {
  const records = agents.flatMap(({ index }) => index.records.filter(({ usage }) => usage))
  const usages = records.map((record) => ({ record, time: record.time ?? "" }))
  return usages.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
}

function notASession(key: string, { records }: SourceIndex): TreelogError {
  const isDamaged = records.some(({ role, damaged }) => role === "damaged" && wasRecord(damaged))
  const why = records.length === 0 ? "it has no lines" : NO_TRANSCRIPT
  const message = `${key} is no session of Claude Code: ${why}.`
  return new TreelogError("InvalidSessionError", message, { key, found: "no line of Claude Code", isDamaged })
}

/** A longer result is not searched. Bytes. */
export const LONGEST_RESULT = 64 * 1024 * 1024

/** What is searched of a result that was kept in a file; nothing of one that is no text. */
function textOfResult({ bytes }: PartSource, tool: string | undefined): object {
  if (!bytes) return { error: `it is larger than ${LONGEST_RESULT} bytes, and not searched` }
  const text = new TextDecoder().decode(bytes)
  return text.includes("\0") ? {} : { texts: [{ role: "toolResult", text, ...(tool && { tool }) }] }
}

export function isTranscript({ records }: SourceIndex): boolean {
  return records.some(({ kind }) => isKnownKind(kind))
}

function sideChainName(root: string): string {
  return `sidechain-${root}.jsonl`
}
