import type { SessionHeader } from "@treelog/session-core"
import type { Line } from "@treelog/session-core/adapter"
import type { ConversionReport } from "@treelog-internal/agent-files"
import { ThreadConverter } from "./thread-converter.js"
import { threadHeader } from "./thread-header.js"
import type { RolloutFile, ThreadStep } from "./thread-plan.js"

/** A thread on its way to a session. */
export interface ThreadRecords {
  readonly header: SessionHeader
  /** Can be iterated once: the lines are read meanwhile. */
  readonly entries: Iterable<object>
  /** Complete once the entries were iterated. */
  readonly report: ConversionReport
}

/** @param first the file whose head the header is made of */
export function threadRecords(
  first: RolloutFile,
  title: string | undefined,
  steps: readonly ThreadStep[],
  linesIn: (file: RolloutFile) => Iterable<Line>,
): ThreadRecords {
  const header = threadHeader(first, title)
  const converter = new ThreadConverter(header, first.name)
  return {
    header,
    entries: entriesOf(converter, steps, linesIn),
    get report() {
      return converter.report
    },
  }
}

function* entriesOf(
  converter: ThreadConverter,
  steps: readonly ThreadStep[],
  linesIn: (file: RolloutFile) => Iterable<Line>,
): Generator<object> {
  for (const step of steps) {
    converter.begin(step)
    for (const line of linesIn(step.file)) {
      if (!converter.push(line)) break
      yield* converter.take()
    }
    converter.end()
  }
  yield* converter.finish()
}
