import { Random } from "../generator/random.js"
import { type ClaudeEvent, compact, EVENTS, turn } from "./claude-events.js"
import type { ClaudeTruth } from "./claude-truth.js"
import { ClaudeWriter, type Step } from "./claude-writer.js"

/** A file of Claude Code that a seed gives, and what is true of it. */
export interface ClaudeFile {
  readonly sessionId: string
  /** Without line ends. The last may be cut off. */
  readonly lines: readonly string[]
  /** Whether the last line has no line end. */
  readonly isOpen: boolean
  readonly truth: ClaudeTruth
}

/** Generates a file with that many events: turns, compactions, rewinds, titles, damage and what else real files have. */
export function generateClaudeFile(seed: number, events: number): ClaudeFile {
  const writer = newWriter(seed, 1)
  const lines: string[] = []
  for (let event = 0; event < events; event++) lines.push(...nextLines(writer))
  const { random } = writer
  turn(writer)
  if (random.chance(0.15) && writer.abandoned) pin(writer, writer.abandoned)
  lines.push(...writer.take())
  writer.truth.path = writer.steps.map(({ id }) => id)
  const isCut = random.chance(0.2)
  if (isCut) lines.push(`{"parentUuid":"${writer.uuid()}","type":"user","message":{"role":"us`)
  const { sessionId, truth } = writer
  return { sessionId, lines, isOpen: isCut || random.chance(0.3), truth }
}

/**
 * Lines without end, for files of any size. The truth about them is not kept.
 * @param scale by which texts are longer than in small files; with 5, lines are about as long as real ones
 */
export function* claudeLines(seed: number, scale: number): Generator<string> {
  const writer = newWriter(seed, scale)
  for (;;) {
    yield* nextLines(writer)
    writer.forget()
  }
}

/**
 * Lines without end of a session in which nothing is odd: turns, and a compaction after every so many of them.
 * @param scale as of `claudeLines`
 */
export function* claudeTurns(seed: number, scale: number, between: number): Generator<string> {
  const writer = newWriter(seed, scale)
  for (let count = 1; ; count++) {
    turn(writer)
    if (count % between === 0) compact(writer, "usual")
    yield* writer.take()
    writer.forget()
  }
}

function newWriter(seed: number, scale: number): ClaudeWriter {
  return new ClaudeWriter(new Random(seed), scale)
}

function nextLines(writer: ClaudeWriter): string[] {
  pickEvent(writer).run(writer)
  return writer.take()
}

function pickEvent({ random }: ClaudeWriter): ClaudeEvent {
  let left = random.below(EVENTS.reduce((sum, { weight }) => sum + weight, 0))
  for (const event of EVENTS) {
    left -= event.weight
    if (left < 0) return event
  }
  return random.pick(EVENTS)
}

/** The leaf is the end of a branch that was left. */
function pin(writer: ClaudeWriter, steps: readonly Step[]): void {
  writer.steps = [...steps]
  writer.raw({
    type: "last-prompt",
    lastPrompt: "",
    leafUuid: steps.at(-1)?.id,
    explicit: true,
    sessionId: writer.sessionId,
  })
}
