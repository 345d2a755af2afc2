import type { SessionHeader } from "@treelog/session-core"
import type { Line } from "@treelog/session-core/adapter"
import type { ConversionReport } from "@treelog-internal/agent-files"
import { countCopied } from "./copied-items.js"
import { type SavedThread, ThreadConverter } from "./thread-converter.js"
import { threadHeader } from "./thread-header.js"
import type { RolloutFile, ThreadStep } from "./thread-plan.js"

/** What was read of a file, up to the end of a line. Plain JSON. */
export interface ReadPart {
  /** Of the next line, from 1. */
  readonly line: number
  /** Where it begins. Bytes. */
  readonly offset: number
  /** See `OpenedFile.beginning`. */
  readonly beginning: string
  /** Of the file, bytes. */
  readonly size: number
  /** Of the file, in milliseconds since 1970. */
  readonly modified: number
}

/** Where a conversion can go on: behind the last complete line, as far as it was read. */
export interface ThreadCheckpoint {
  /** How many entries stand before it. */
  readonly entries: number
  readonly saved: SavedThread
}

/** What is known of a thread is as large as a part of it, and is saved again when about as much was added. */
const WORTH_SAVING = 1 / 512

/** A thread on its way to a session. */
export interface ThreadRecords {
  readonly header: SessionHeader
  /** Can be iterated once: the lines are read meanwhile. */
  readonly entries: Iterable<object>
  /**
   * Known once all lines were read. Undefined where what follows may change what stands before it, and where little follows the place that it
   * went on from.
   */
  readonly checkpoint: ThreadCheckpoint | undefined
  /** Complete once the entries were iterated. */
  readonly report: ConversionReport
}

/**
 * @param first the file whose head the header is made of
 * @param linesIn the lines of the file with this name
 * @param from goes on within the last step
 */
export function threadRecords(
  first: RolloutFile,
  title: string | undefined,
  steps: readonly ThreadStep[],
  linesIn: (name: string, from?: ReadPart) => Iterable<Line>,
  from?: ThreadCheckpoint & { readonly read: ReadPart },
): ThreadRecords {
  const header = threadHeader(first, title)
  const converter = new ThreadConverter(header, first.name)
  let made = from?.entries ?? 0
  let isFinal = true
  let saved: ThreadCheckpoint | undefined
  /** Of the last complete line. */
  let end = 0
  const save = (): void => {
    const start = from?.read.offset
    if (start === undefined || end - start > start * WORTH_SAVING) saved ??= { entries: made, saved: converter.saved }
  }
  function* taken(): Generator<object> {
    for (const entry of converter.take()) {
      made++
      yield entry
    }
  }
  function* entriesOf(): Generator<object> {
    for (const { file, copyOf, ...step } of from ? steps.slice(-1) : steps) {
      const isCompared = copyOf !== undefined && !from
      const copied = isCompared ? countCopied(file, linesIn(file.name), linesIn(copyOf)) : undefined
      isFinal = copied?.isFinal !== false
      saved = undefined
      converter.begin({ file, copyOf, ...step }, copied?.count)
      // What the file before left open stands before the first place of this one.
      yield* taken()
      if (from) converter.goOn(from.saved)
      for (const line of linesIn(file.name, from?.read)) {
        if (line.terminated) end = line.end
        // More of it may follow.
        else save()
        if (!converter.push(line)) break
        yield* taken()
      }
      save()
      converter.end()
    }
    yield* converter.finish()
  }
  return {
    header,
    entries: entriesOf(),
    get checkpoint() {
      return isFinal ? saved : undefined
    },
    get report() {
      return converter.report
    },
  }
}
