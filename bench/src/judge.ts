import type { Bar } from "./bar.js"
import { digits, inWords } from "./digits.js"
import type { Case } from "./question.js"
import type { Row } from "./row.js"

/** Whether a contender reached a bar: in words, and with the numbers that were compared. */
export interface Verdict {
  readonly case: string
  readonly contender: string
  readonly figure: string
  /** What was wanted, such as "at least 20x as fast as pi". */
  readonly bar: string
  readonly is: string
  readonly wanted: number
  readonly found: number
  readonly reached: boolean
}

/**
 * The verdicts of a case, from the rows of its question. Bars that compare with a case that was not run are skipped.
 * @throws Error for a bar that names no contender of its case, or a figure that was not measured
 */
export function judge({ name, bars = [] }: Case, rows: readonly Row[]): Verdict[] {
  const asked = new Set(rows.map((row) => row.case))
  return bars
    .filter((bar) => !("besideCase" in bar) || asked.has(bar.besideCase))
    .map((bar) => {
      const { contender, figure = "ms" } = bar
      return { case: name, contender, figure, ...judged(bar, rowOf(rows, name, contender), figure, rows) }
    })
}

type Judged = Pick<Verdict, "bar" | "is" | "wanted" | "found" | "reached">

function judged(bar: Bar, own: Row, figure: string, rows: readonly Row[]): Judged {
  const is = medianOf(own, figure)
  if ("besideCase" in bar) {
    const other = rowOf(rows, bar.besideCase, bar.contender)
    const each = is / own.size / (medianOf(other, figure) / other.size)
    return times(each, bar.atMost, `for each, at most ${bar.atMost}x of ${bar.besideCase}`)
  }
  if (!("beside" in bar)) return amount(is, bar.atMost, figure)
  const other = medianOf(rowOf(rows, own.case, bar.beside), figure)
  if ("within" in bar) return amount(is - other, bar.within, figure, ` more than ${bar.beside}`)
  if ("atMost" in bar) return times(is / other, bar.atMost, `at most ${bar.atMost}x of ${bar.beside}`)
  const found = other / is
  return {
    bar: `at least ${bar.atLeast}x as fast as ${bar.beside}`,
    is: `${digits(found)}x`,
    wanted: bar.atLeast,
    found,
    reached: found >= bar.atLeast,
  }
}

function times(found: number, wanted: number, bar: string): Judged {
  return { bar, is: `${digits(found)}x`, wanted, found, reached: found <= wanted }
}

function amount(found: number, wanted: number, figure: string, behind = ""): Judged {
  const [bar, is] = [`at most ${inWords(figure, wanted)}${behind}`, `${inWords(figure, found)}${behind}`]
  return { bar, is, wanted, found, reached: found <= wanted }
}

function rowOf(rows: readonly Row[], caseName: string, contender: string): Row {
  const row = rows.find((each) => each.case === caseName && each.contender === contender)
  if (!row) throw new Error(`A bar of "${caseName}" names ${contender}, who takes no part in it.`)
  return row
}

function medianOf(row: Row, figure: string): number {
  const { ms, cpuMs, sinceStartMs, peakRss, own } = row
  const figures = { ...own, ms, cpuMs, sinceStartMs, peakRss }[figure]
  if (!figures) throw new Error(`A bar of "${row.case}" asks for "${figure}", which ${row.contender} did not measure.`)
  return figures.median
}
