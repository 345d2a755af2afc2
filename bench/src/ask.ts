import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { CaseFolder } from "./case-folder.js"
import { runtimeOf } from "./contenders/omp.js"
import { judge, type Verdict } from "./judge.js"
import { thisMachine } from "./machine.js"
import type { Case, Question, Sample } from "./question.js"
import { type Row, rowOf } from "./row.js"

export interface Answer {
  readonly question: string
  readonly asks: string
  /** Of the machine, when the question was asked. */
  readonly load: number
  readonly rows: readonly Row[]
  readonly verdicts: readonly Verdict[]
  /** Who took no part in which case, and why. */
  readonly absences: readonly { readonly case: string; readonly contender: string; readonly why: string }[]
  /** Cases that could not be measured, or in which the contenders did not do the same. */
  readonly failures: readonly { readonly case: string; readonly message: string }[]
}

export interface AskOptions {
  /** Words that the name of a case has to have, all of them, in any case of letters. */
  readonly words: readonly string[]
  /** Instead of the question's own number. */
  readonly rounds: number | undefined
  readonly log: (progress: string) => void
}

/** Asks one question: case by case, the contenders in turn (A B A B), each sample in a process of its own. */
export async function ask(question: Question, { words, rounds, log }: AskOptions): Promise<Answer> {
  const picked = [...question.cases.entries()].filter(([, { name }]) => hasAll(name, words))
  const { load } = thisMachine()
  const rows: Row[] = []
  const cases: Case[] = []
  const failures: { case: string; message: string }[] = []
  for (const [index, each] of picked) {
    log(`${question.name}: ${each.name}`)
    try {
      rows.push(...(await askCase(question, index, rounds ?? each.rounds ?? question.rounds)))
      cases.push(each)
    } catch (error) {
      // The other cases can still be asked; the run ends with an error.
      const message = error instanceof Error ? error.message : String(error)
      log(message)
      failures.push({ case: each.name, message })
    }
  }
  return {
    question: question.name,
    asks: question.asks,
    load,
    rows,
    verdicts: cases.flatMap((each) => judge(each, rows)),
    absences: cases.flatMap(({ name, absent = {} }) =>
      Object.entries(absent).map(([contender, why]) => ({ case: name, contender, why })),
    ),
    failures,
  }
}

export function hasAll(name: string, words: readonly string[]): boolean {
  return words.every((word) => name.toLowerCase().includes(word.toLowerCase()))
}

async function askCase(question: Question, index: number, rounds: number): Promise<Row[]> {
  const asked = question.cases[index] as Case
  const { name, contenders, probes = {} } = asked
  const folder = await CaseFolder.make(asked)
  try {
    const samples = new Map([...Object.keys(contenders), ...Object.keys(probes)].map((who) => [who, [] as Sample[]]))
    // The first round warms the page cache, and is not counted.
    for (let round = 0; round <= rounds; round++) {
      for (const [who, list] of samples) {
        const sample = await takeSample({ question: question.name, caseIndex: index, who, folder: folder.path })
        if (round > 0) list.push(sample)
      }
    }
    folder.assertUnchanged()
    assertSameAnswer(
      name,
      [...samples].filter(([who]) => who in contenders),
    )
    return [...samples].map(([who, list]) => rowOf(asked, who, list))
  } finally {
    await folder.remove()
  }
}

/** Contenders that come to different results were not compared at all. */
function assertSameAnswer(caseName: string, samples: readonly (readonly [string, readonly Sample[]])[]): void {
  const answers = samples.flatMap(([contender, list]) => list.map(({ answer }) => ({ contender, answer })))
  const first = answers[0]
  const other = answers.find(({ answer }) => answer !== first?.answer)
  if (!first || !other) return
  const say = ({ contender, answer }: { contender: string; answer: unknown }): string =>
    `${contender}: ${String(answer)}`
  throw new Error(`${caseName}: not the same work. ${say(first)}; ${say(other)}`)
}

// Beside main.js in the bundle.
const SCRIPT = fileURLToPath(new URL("sample.js", import.meta.url))
const run = promisify(execFile)

interface SampleOrder {
  readonly question: string
  readonly caseIndex: number
  /** A contender, or a probe. */
  readonly who: string
  /** The case's. */
  readonly folder: string
}

/** Takes one sample in a fresh process. @throws when the work failed */
async function takeSample({ question, caseIndex, who, folder }: SampleOrder): Promise<Sample> {
  const scratch = mkdtempSync(join(folder, "sample-"))
  try {
    const { stdout } = await run(runtimeOf(who), [SCRIPT, question, String(caseIndex), who, folder, scratch])
    return JSON.parse(stdout) as Sample
  } finally {
    rmSync(scratch, { recursive: true })
  }
}
