import type { SessionHeader } from "@treelog/session-core"
import { FactCollector, formatLine, type SessionFacts, summaryState } from "@treelog/session-core/adapter"
import type { AgentSource, SourceSession } from "./agent-source.js"
import type { Content } from "./content.js"
import type { Checkpoint, Conversion } from "./conversion.js"
import { conversionVersionOf } from "./conversion-version.js"
import type { ConvertedFiles } from "./converted-files.js"
import type { ConvertedState, StoredCheckpoint } from "./converted-states.js"
import { sha256 } from "./digest.js"
import { type Beginning, beginningOf, chunksOfRanges, type Piece } from "./segments.js"

// Why a session that went on is what its whole conversion would be: a source goes on only where what it read before has not changed and what follows
// changes no entry before the checkpoint. What is stored of the checkpoint was true of those entries when they were made.

/** What is kept of a checkpoint, in a file beside the converted bytes. */
interface KeptState extends Checkpoint {
  readonly conversionVersion: string
  readonly facts: CollectedFacts
}

interface CollectedFacts {
  readonly info: SessionFacts
  readonly times: FactCollector["times"]
}

/** A checkpoint with all that is needed to go on from it. */
export interface Resumption extends Checkpoint {
  readonly facts: CollectedFacts
  readonly stored: StoredCheckpoint
  readonly beginning: Beginning
  /** The former bytes behind it. */
  readonly rest: Piece
}

/** Undefined where a session has none, its files are not there any more, or its source was written without growing. */
export async function resumptionOf(
  files: ConvertedFiles,
  source: Pick<AgentSource, "conversionVersion">,
  { key, ...now }: SourceSession,
  { checkpoint: stored, segments, size }: ConvertedState,
): Promise<Resumption | undefined> {
  const beginning = stored && beginningOf(segments, stored.size, stored.cut)
  if (!stored || !beginning || !hasGrown(stored.source, now)) return undefined
  const kept = (await files.state(key, stored.state)) as KeptState | undefined
  if (kept?.conversionVersion !== conversionVersionOf(source)) return undefined
  const content = await files.find(key, segments)
  const { entries, state, facts } = kept
  return content && { entries, state, facts, stored, beginning, rest: restOf(content, key, stored.size, size) }
}

/** The ends of a file do not show what was written between them. */
function hasGrown(before: StoredCheckpoint["source"], now: StoredCheckpoint["source"]): boolean {
  return now.size > before.size || (now.size === before.size && now.modified === before.modified)
}

function restOf(content: Content, key: string, from: number, to: number): Piece {
  const hash = sha256()
  const ranges = content.open(key)
  try {
    for (const chunk of chunksOfRanges(ranges, from, to)) hash.update(chunk)
  } finally {
    ranges.close()
  }
  return { size: to - from, digest: hash.digest("hex") }
}

/** The lines of a conversion as they are made, with the facts of a list and the newest checkpoint. */
export class CheckedLines implements Iterable<string> {
  readonly facts: FactCollector
  readonly #conversion: Conversion
  /** Entries and bytes so far. */
  #entries = 0
  #size = 0
  #newest: { readonly entries: number; readonly size: number; readonly facts: CollectedFacts } | undefined

  /** @param from where it went on */
  constructor(conversion: Conversion, from: Resumption | undefined) {
    this.#conversion = conversion
    this.facts = new FactCollector(from && formerFacts(from.facts))
    this.#entries = from?.entries ?? 0
    this.#size = from?.stored.size ?? 0
  }

  *[Symbol.iterator](): Generator<string> {
    const { header, entries, goesOn } = this.#conversion
    if (!goesOn) yield this.#header(header)
    for (const entry of entries) {
      this.#note()
      this.facts.addEntry(entry as never)
      this.#entries += 1
      const line = formatLine(entry)
      this.#size += Buffer.byteLength(line)
      this.#note()
      yield line
    }
    this.#note()
  }

  /** Bytes before the newest checkpoint. */
  get mark(): number | undefined {
    return this.#newest?.size
  }

  /** What is kept of it, once all lines were made. */
  stateOf(source: Pick<AgentSource, "conversionVersion">): KeptState | undefined {
    const { checkpoint } = this.#conversion
    if (!this.#newest || checkpoint?.entries !== this.#newest.entries) return undefined
    const { entries, facts } = this.#newest
    return { conversionVersion: conversionVersionOf(source), entries, facts, state: checkpoint.state() }
  }

  #header(header: SessionHeader): string {
    this.facts.addHeader({ header, titleSlot: undefined })
    const line = formatLine(header)
    this.#size = Buffer.byteLength(line)
    return line
  }

  #note(): void {
    const entries = this.#conversion.checkpoint?.entries
    if (entries !== this.#entries || entries === this.#newest?.entries) return
    const { facts } = this
    this.#newest = { entries, size: this.#size, facts: { info: facts.facts(NO_STAT), times: facts.times } }
  }
}

const NO_STAT = { size: 0, identity: "", modified: 0 }

function formerFacts({ info, times }: CollectedFacts): ConstructorParameters<typeof FactCollector>[0] {
  return { ...summaryState(info), info, resume: { size: 0, headSize: 0, head: 0, tail: 0, ...times } }
}
