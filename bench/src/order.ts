import { parseArgs } from "node:util"

/** What was asked for on the command line. */
export interface Order {
  /** Empty means all. */
  readonly questions: readonly string[]
  /** Words that the name of a case has to have. */
  readonly words: readonly string[]
  readonly rounds: number | undefined
  /** Only say what could be asked. */
  readonly list: boolean
}

export const USAGE = `npm run bench [-- question ...] [--case word ...] [--rounds n] [--list]

  npm run bench                                    every question
  npm run bench -- open                            one of them
  npm run bench -- open --case 300                 its cases with "300" in their names
  npm run bench -- growth --case append --case 1,000,000
  npm run bench -- open --rounds 1                 one sample each, to see that it works
  npm run bench -- --list                          questions and cases
`

/** @throws Error for an unknown option, or for what is no number of rounds */
export function readOrder(args: readonly string[]): Order {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { case: { type: "string", multiple: true }, rounds: { type: "string" }, list: { type: "boolean" } },
  })
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
    throw new Error(`--rounds takes a whole number from 1, not ${JSON.stringify(values.rounds)}.`)
  return { questions: positionals, words: values.case ?? [], rounds, list: values.list ?? false }
}
