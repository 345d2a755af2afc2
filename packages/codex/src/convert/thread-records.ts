import type { SessionHeader } from "@treelog/session-core"
import type { Line } from "@treelog/session-core/adapter"
import type { ConversionReport } from "@treelog-internal/agent-files"
import { countCopied } from "./copied-items.js"
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

/**
 * @param first the file whose head the header is made of
 * @param linesIn the lines of the file with this name
 */
export function threadRecords(
  first: RolloutFile,
  title: string | undefined,
  steps: readonly ThreadStep[],
  linesIn: (name: string) => Iterable<Line>,
): ThreadRecords {
  const header = threadHeader(first, title)
  const converter = new ThreadConverter(header, first.name)
  function* entriesOf(): Generator<object> {
    for (const { file, copyOf, ...step } of steps) {
      const copied = copyOf === undefined ? undefined : countCopied(file, linesIn(file.name), linesIn(copyOf))
      converter.begin({ file, copyOf, ...step }, copied)
      for (const line of linesIn(file.name)) {
        if (!converter.push(line)) break
        yield* converter.take()
      }
      converter.end()
    }
    yield* converter.finish()
  }
  return {
    header,
    entries: entriesOf(),
    get report() {
      return converter.report
    },
  }
}
