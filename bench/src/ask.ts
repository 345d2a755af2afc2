import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Case, Question, Sample } from "./question.js"
import { type Figures, figuresOf } from "./statistics.js"
import { takeSample } from "./take-sample.js"

export interface Answer {
  readonly question: string
  readonly asks: string
  readonly rounds: number
  readonly rows: readonly Row[]
}

/** What one contender did in one case. */
export interface Row {
  readonly case: string
  readonly size: number
  readonly contender: string
  /** Milliseconds of the work. */
  readonly ms: Figures
  /** Milliseconds from the start of the process. */
  readonly sinceStartMs: Figures
  /** Bytes. */
  readonly peakRss: Figures
}

/** Asks one question: case by case, the contenders in turn (A B A B), each sample in a process of its own. */
export async function ask(question: Question, tell: (progress: string) => void): Promise<Answer> {
  const { name, asks, rounds, cases } = question
  const rows: Row[] = []
  for (const [index, each] of cases.entries()) {
    tell(`${name}: ${each.name}`)
    rows.push(...(await askCase(question, index, each)))
  }
  return { question: name, asks, rounds, rows }
}

async function askCase({ name, rounds }: Question, index: number, { name: caseName, size, prepare, contenders }: Case) {
  const folder = mkdtempSync(join(tmpdir(), "treelog-bench-"))
  try {
    prepare(folder)
    const samples = new Map(Object.keys(contenders).map((contender) => [contender, [] as Sample[]]))
    // The first round warms the page cache, and is not counted.
    for (let round = 0; round <= rounds; round++) {
      for (const [contender, list] of samples) {
        const sample = await takeSample(name, index, contender, folder)
        if (round > 0) list.push(sample)
      }
    }
    assertSameAnswer(caseName, samples)
    return [...samples].map(([contender, list]) => rowOf(caseName, size, contender, list))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Contenders that come to different results were not compared at all. */
function assertSameAnswer(caseName: string, samples: ReadonlyMap<string, readonly Sample[]>): void {
  const answers = [...samples].flatMap(([contender, list]) => list.map(({ answer }) => ({ contender, answer })))
  const first = answers[0]
  const other = answers.find(({ answer }) => answer !== first?.answer)
  if (!first || !other) return
  const say = ({ contender, answer }: { contender: string; answer: unknown }): string =>
    `${contender}: ${String(answer)}`
  throw new Error(`${caseName}: not the same work. ${say(first)}; ${say(other)}`)
}

function rowOf(caseName: string, size: number, contender: string, samples: readonly Sample[]): Row {
  return {
    case: caseName,
    size,
    contender,
    ms: figuresOf(samples.map(({ ms }) => ms)),
    sinceStartMs: figuresOf(samples.map(({ sinceStartMs }) => sinceStartMs)),
    peakRss: figuresOf(samples.map(({ peakRss }) => peakRss)),
  }
}
