import type { SessionEntry, SessionHeader } from "@treelog/session-core"
import { type Line, linesOf } from "@treelog/session-core/adapter"
import type { ConversionReport } from "@treelog-internal/agent-files"
import { rolloutHead } from "../rollout/rollout-head.js"
import { readRolloutLine } from "../rollout/rollout-line.js"
import { eachOnce, generationId, type RolloutName, rolloutName } from "../rollout/rollout-name.js"
import { countCopied } from "./copied-items.js"
import { planThread, type RolloutFile, type ThreadStep } from "./thread-plan.js"
import { threadRecords } from "./thread-records.js"

/** A rollout in memory. */
export interface CodexFile {
  /** Its path, or only its name, which ends with `rollout-<time>-<thread>[_<revision>].jsonl`. */
  readonly name: string
  /** Its bytes, uncompressed. */
  readonly bytes: Uint8Array
}

/** Options of `convertCodex`. */
export interface ConvertCodexOptions {
  /** The names of threads, by id, as `session_index.jsonl` has them. */
  readonly titles?: Readonly<Record<string, string>> | undefined
}

/** A thread as a session. */
export interface CodexSession {
  readonly header: SessionHeader
  readonly entries: readonly SessionEntry[]
  /** Those of the sub-agents that the thread started, by the names under which they would be stored. */
  readonly artifacts: readonly CodexArtifact[]
  readonly report: ConversionReport
}

/** A sub-agent's thread. */
export interface CodexArtifact extends Omit<CodexSession, "artifacts"> {
  /** Such as `01a203c3-1512-7212-98a4-f034700c2e95.jsonl`. */
  readonly name: string
}

/**
 * Converts rollouts to sessions: one for each thread, with its reverts as branches and the history that it was forked from. Pure.
 * Files with other names are ignored, and a rollout that is there twice is read once. Sub-agents' threads are artifacts of the thread that
 * started them, where that is among the files.
 */
export function convertCodex(
  files: readonly CodexFile[],
  options: ConvertCodexOptions = {},
): { sessions: CodexSession[] } {
  const bytes = new Map(files.map((file) => [file.name, file.bytes]))
  const named = files.flatMap((file) => {
    const name = rolloutName(file.name)
    return name ? { ...name, file } : []
  })
  const rollouts = eachOnce(named).map(rolloutOf)
  const byGeneration = new Map(rollouts.map((file) => [file.generation, file]))
  const threads = new Map<string, RolloutFile[]>()
  for (const file of rollouts) threads.set(file.threadId, [...(threads.get(file.threadId) ?? []), file])
  const linesIn = ({ name }: RolloutFile): Iterable<Line> => linesOf(bytes.get(name) ?? new Uint8Array())
  const convert = (threadId: string, own: RolloutFile[]): Omit<CodexSession, "artifacts"> => {
    const steps = planThread(own, (generation) => byGeneration.get(generation)).map((step): ThreadStep => {
      const parent = byGeneration.get(step.copyOf ?? "")
      return parent ? { ...step, copiedItems: countCopied(step.file, linesIn(step.file), linesIn(parent)) } : step
    })
    const first = steps.find(({ isForeign }) => !isForeign)?.file
    if (!first) throw new RangeError("A thread has at least one file of its own.")
    const records = threadRecords(first, options.titles?.[threadId], steps, linesIn)
    const entries = [...records.entries] as SessionEntry[]
    return { header: records.header, entries, report: records.report }
  }
  const rootOf = rootsOf(threads)
  const sessions: CodexSession[] = []
  for (const [threadId, own] of threads) {
    if (rootOf(threadId) !== threadId) continue
    const artifacts = [...threads]
      .filter(([id]) => id !== threadId && rootOf(id) === threadId)
      .map(([id, own]) => ({ name: `${id}.jsonl`, ...convert(id, own) }))
    sessions.push({ ...convert(threadId, own), artifacts })
  }
  return { sessions }
}

/** Finds the thread that started a sub-agent, or the one that started that; the thread itself where none is there. */
export function rootsOf(threads: ReadonlyMap<string, readonly RolloutFile[]>): (threadId: string) => string {
  return (threadId) => {
    const seen = new Set([threadId])
    let root = threadId
    for (;;) {
      const parent = threads.get(root)?.find(({ head }) => head.parentThread !== undefined)?.head.parentThread
      // Threads that name each other in a circle are sessions, each of them.
      if (parent !== undefined && seen.has(parent)) return threadId
      if (parent === undefined || !threads.has(parent)) return root
      seen.add(parent)
      root = parent
    }
  }
}

/** A rollout with its head. */
function rolloutOf({ file: { name, bytes }, ...named }: RolloutName & { readonly file: CodexFile }): RolloutFile {
  const [first] = linesOf(bytes)
  const read = first && readRolloutLine(first)
  const meta = read && "line" in read && read.line.type === "session_meta" ? read.line.payload : {}
  const { threadId, time } = named
  return { name, threadId, generation: generationId(named), time, head: rolloutHead(meta) }
}
