import { Random } from "../generator/random.js"
import { RolloutWriter } from "./rollout-writer.js"

/** What is in a generated folder of Codex. */
export interface CodexShape {
  readonly seed: number
  /** How many rollouts; forks, reverts and sub-agents among them. */
  readonly rollouts: number
}

/** A generated rollout. */
export interface WrittenRollout {
  /** From the folder of Codex. */
  readonly name: string
  readonly threadId: string
  readonly text: string
}

interface Made extends WrittenRollout {
  readonly generation: string
  readonly writer: RolloutWriter
  readonly mode: "legacy" | "paginated"
}

/** So long after the other each rollout begins. Milliseconds. */
const STEP = 3_600_000
const START = Date.UTC(2026, 2, 7, 14)

/**
 * Rollouts with forks, reverts and forks of these, bases that are missing, legacy copies, sub-agents, rolled-back turns, compactions
 * of both kinds and kinds of lines that nobody knows. The same shape always gives the same bytes.
 */
export function generateCodexHome({ seed, rollouts }: CodexShape): WrittenRollout[] {
  const random = new Random(seed)
  const made: Made[] = []
  for (let index = 0; index < rollouts; index++) made.push(rollout(random, made, START + index * STEP))
  return made.map(({ name, threadId, writer }) => ({ name, threadId, text: writer.text }))
}

function rollout(random: Random, made: readonly Made[], start: number): Made {
  const parents = made.filter(({ mode }) => mode === "paginated")
  const parent = parents.length > 0 && random.chance(0.5) ? random.pick(parents) : undefined
  const id = (): string => `01a20000-${random.hex(4)}-7${random.hex(3)}-8${random.hex(3)}-${random.hex(12)}`
  if (parent) {
    const isRevert = random.chance(0.5)
    const isMissing = random.chance(0.1)
    const base = { thread_id: isMissing ? id() : parent.generation, end_byte_offset: cutOf(random, parent) }
    const threadId = isRevert ? parent.threadId : id()
    const fields = { history_base: base, ...(!isRevert && { forked_from_id: parent.threadId }) }
    return written(random, "paginated", start, threadId, isRevert ? id() : undefined, fields)
  }
  const legacy = made.filter(({ mode }) => mode === "legacy")
  if (legacy.length > 0 && random.chance(0.2)) {
    const original = random.pick(legacy)
    return written(
      random,
      "legacy",
      start,
      id(),
      undefined,
      { forked_from_id: original.threadId },
      original.writer.lines,
    )
  }
  if (made.length > 0 && random.chance(0.15)) {
    const { threadId } = random.pick(made)
    const source = { subagent: { thread_spawn: { parent_thread_id: threadId, depth: 1 } } }
    return written(random, "paginated", start, id(), undefined, { parent_thread_id: threadId, source })
  }
  return written(random, random.chance(0.5) ? "legacy" : "paginated", start, id(), undefined, {})
}

function written(
  random: Random,
  mode: "legacy" | "paginated",
  start: number,
  threadId: string,
  revision: string | undefined,
  fields: Record<string, unknown>,
  copied: readonly string[] = [],
): Made {
  const writer = new RolloutWriter(random, mode, start)
  writer.meta(threadId, fields)
  writer.copy(copied)
  for (let turns = random.between(0, 5); turns > 0; turns--) writer.turn()
  const [day = "", time = ""] = new Date(start).toISOString().slice(0, 19).split("T")
  const stem = `rollout-${day}T${time.replaceAll(":", "-")}-${threadId}${revision === undefined ? "" : `_${revision}`}`
  const folder = random.chance(0.2) ? "archived_sessions" : `sessions/${day.replaceAll("-", "/")}`
  return {
    name: `${folder}/${stem}.jsonl`,
    threadId,
    generation: revision ?? threadId,
    text: writer.text,
    writer,
    mode,
  }
}

/** The end of one of the lines. */
function cutOf(random: Random, { writer }: Made): number {
  const lines = writer.lines.slice(0, random.between(1, writer.lines.length))
  return new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")).length
}
