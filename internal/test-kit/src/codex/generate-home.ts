import { Random } from "../generator/random.js"
import { TextSource } from "../generator/text-source.js"
import { RolloutWriter } from "./rollout-writer.js"

/** What is in a generated folder of Codex. */
export interface CodexShape {
  readonly seed: number
  /** How many rollouts; forks, reverts and sub-agents among them. */
  readonly rollouts: number
  /** Times as many turns as small rollouts for tests have, with long texts. Default: small ones. */
  readonly turns?: number
}

/** A generated rollout. */
export interface WrittenRollout {
  /** From the folder of Codex. */
  readonly name: string
  readonly threadId: string
  readonly text: string
  /** Input tokens of the responses that it recorded itself, not of those in lines that it copied. */
  readonly input: number
}

interface Made extends WrittenRollout {
  readonly generation: string
  readonly writer: RolloutWriter
  readonly mode: "legacy" | "paginated"
}

/** The time between the beginnings of two rollouts. Milliseconds. */
const STEP = 3_600_000
const START = Date.UTC(2026, 2, 7, 14)

/**
 * Rollouts with forks, reverts and forks of these, bases that are missing, legacy copies, sub-agents, rolled-back turns, compactions
 * of both kinds and unknown kinds of lines. Equal shapes give equal bytes.
 */
export function generateCodexHome({ seed, rollouts, turns }: CodexShape): WrittenRollout[] {
  const random = new Random(seed)
  const scale: Scale = turns === undefined ? { turns: 1 } : { turns, texts: new TextSource(random) }
  const made: Made[] = []
  for (let index = 0; index < rollouts; index++) made.push(rollout(random, scale, made, START + index * STEP))
  return made.map(({ name, threadId, writer }) => ({ name, threadId, text: writer.text, input: writer.input }))
}

interface Scale {
  readonly turns: number
  readonly texts?: TextSource
}

function rollout(random: Random, scale: Scale, made: readonly Made[], start: number): Made {
  const parents = made.filter(({ mode }) => mode === "paginated")
  const parent = parents.length > 0 && random.chance(0.5) ? random.pick(parents) : undefined
  const id = (): string => `01a20000-${random.hex(4)}-7${random.hex(3)}-8${random.hex(3)}-${random.hex(12)}`
  if (parent) {
    const isRevert = random.chance(0.5)
    const isMissing = random.chance(0.1)
    const base = { thread_id: isMissing ? id() : parent.generation, end_byte_offset: cutOf(random, parent) }
    const threadId = isRevert ? parent.threadId : id()
    const fields = { history_base: base, ...(!isRevert && { forked_from_id: parent.threadId }) }
    return written(random, scale, "paginated", start, threadId, isRevert ? id() : undefined, fields)
  }
  const legacy = made.filter(({ mode }) => mode === "legacy")
  if (legacy.length > 0 && random.chance(0.2)) {
    const original = random.pick(legacy)
    return written(
      random,
      scale,
      "legacy",
      start,
      id(),
      undefined,
      { forked_from_id: original.threadId },
      original.writer,
    )
  }
  if (made.length > 0 && random.chance(0.15)) {
    const { threadId } = random.pick(made)
    const source = { subagent: { thread_spawn: { parent_thread_id: threadId, depth: 1 } } }
    return written(random, scale, "paginated", start, id(), undefined, { parent_thread_id: threadId, source })
  }
  return written(random, scale, random.chance(0.5) ? "legacy" : "paginated", start, id(), undefined, {})
}

function written(
  random: Random,
  scale: Scale,
  mode: "legacy" | "paginated",
  start: number,
  threadId: string,
  revision: string | undefined,
  fields: Record<string, unknown>,
  copied?: RolloutWriter,
): Made {
  const writer = new RolloutWriter(random, mode, start, scale.texts)
  writer.meta(threadId, fields)
  if (copied) writer.copy(copied)
  else writer.instructions()
  for (let turns = random.between(0, 5) * scale.turns; turns > 0; turns--) writer.turn()
  const [day = "", time = ""] = new Date(start).toISOString().slice(0, 19).split("T")
  const stem = `rollout-${day}T${time.replaceAll(":", "-")}-${threadId}${revision === undefined ? "" : `_${revision}`}`
  const folder = random.chance(0.2) ? "archived_sessions" : `sessions/${day.replaceAll("-", "/")}`
  return {
    name: `${folder}/${stem}.jsonl`,
    threadId,
    generation: revision ?? threadId,
    text: writer.text,
    input: writer.input,
    writer,
    mode,
  }
}

/** The end of one of the lines. */
function cutOf(random: Random, { writer }: Made): number {
  const lines = writer.lines.slice(0, random.between(1, writer.lines.length))
  return new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")).length
}
