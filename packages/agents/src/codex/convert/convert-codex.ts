import type { SessionEntry, SessionHeader } from "@treelog/session-core"
import { linesOf } from "@treelog/session-core/adapter"
import type { ConversionReport } from "@treelog-internal/agent-files"
import { rolloutHead } from "../rollout/rollout-head.js"
import { headIn } from "../rollout/rollout-line.js"
import { eachOnce, rolloutName } from "../rollout/rollout-name.js"
import { type Files, type NamedRollout, planThread, type RolloutFile, rootsOf, threadsOf } from "./thread-plan.js"
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
  /** The transcripts of the sub-agents that the thread started, by the names under which they would be stored. */
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
  const linesIn = (name: string) => linesOf(bytes.get(name) ?? new Uint8Array())
  const named = files.flatMap(({ name }): NamedRollout[] => {
    const found = rolloutName(name)
    return found ? [{ ...found, name }] : []
  })
  const rollouts = eachOnce(named).map((rollout): RolloutFile => {
    return { ...rollout, head: rolloutHead(headIn(linesIn(rollout.name), rollout.threadId).meta ?? {}) }
  })
  const byGeneration = new Map(rollouts.map((file) => [file.generation, file]))
  const threads = threadsOf(rollouts)
  const roots = rootsOf(threads)
  const convert = (threadId: string, own: Files<RolloutFile>): Omit<CodexSession, "artifacts"> => {
    const steps = planThread(own, byGeneration)
    const records = threadRecords(own[0], options.titles?.[threadId], steps, linesIn)
    const entries = [...records.entries] as SessionEntry[]
    return { header: records.header, entries, report: records.report }
  }
  const sessions: CodexSession[] = []
  for (const [threadId, own] of threads) {
    if (roots.get(threadId) !== threadId) continue
    const artifacts = [...threads]
      .filter(([id]) => id !== threadId && roots.get(id) === threadId)
      .map(([id, own]) => ({ name: `${id}.jsonl`, ...convert(id, own) }))
    sessions.push({ ...convert(threadId, own), artifacts })
  }
  return { sessions }
}
