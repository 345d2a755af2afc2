// npm run bench: see src/order.ts. Tables on stdout, progress on stderr, figures in results/latest.json. A bar that is
// missed is reported; the exit code is 1 only when something could not be measured.

import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Answer, ask, hasAll } from "./src/ask.js"
import { formatAnswer } from "./src/format-answer.js"
import { formatSummary } from "./src/format-verdicts.js"
import { theseVersions, thisMachine } from "./src/machine.js"
import { type Order, readOrder, USAGE } from "./src/order.js"
import type { Question } from "./src/question.js"
import { QUESTIONS, questionNamed } from "./src/questions.js"

const RESULTS = fileURLToPath(new URL("../results", import.meta.url))

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130))
try {
  const order = readOrder(process.argv.slice(2))
  const questions = await asked(order)
  if (order.list) for (const { name, cases } of questions) for (const each of cases) say(`${name}: ${each.name}`)
  else process.exitCode = await run(order, questions)
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n\n${USAGE}`)
  process.exitCode = 1
}

/** @throws Error when there is nothing to ask */
async function asked({ questions: names, words }: Order): Promise<Question[]> {
  const all = await Promise.all((names.length > 0 ? names : Object.keys(QUESTIONS)).map(questionNamed))
  const questions = all.filter(({ cases }) => cases.some(({ name }) => hasAll(name, words)))
  if (questions.length > 0) return questions
  const cases = all.flatMap(({ cases }) => cases.map(({ name }) => `  ${name}`))
  throw new Error(
    `No case has ${words.map((word) => JSON.stringify(word)).join(" and ")} in its name; there are\n${cases.join("\n")}`,
  )
}

async function run({ words, rounds }: Order, questions: readonly Question[]): Promise<number> {
  const [machine, versions] = [thisMachine(), theseVersions()]
  const command = ["npm run bench --", ...process.argv.slice(2).map(quoted)].join(" ")
  const { cpu, cores, memoryGb, system, files, node, load } = machine
  say(`${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, ${files}, Node ${node}, load ${load}`)
  say(
    `treelog ${versions.treelog ?? "of no commit"}, pi ${versions.pi}, ${versions.omp ? `omp ${versions.omp}` : "no omp"}; ${command}\n`,
  )
  const answers: Answer[] = []
  for (const question of questions) {
    const answer = await ask(question, { words, rounds, log: (text) => process.stderr.write(`${text}\n`) })
    answers.push(answer)
    say(formatAnswer(answer))
  }
  say(formatSummary(answers.flatMap(({ question, verdicts }) => verdicts.map((verdict) => ({ question, ...verdict })))))
  mkdirSync(RESULTS, { recursive: true })
  const latest = { v: 2, taken: new Date().toISOString(), command, machine, versions, answers }
  writeFileSync(join(RESULTS, "latest.json"), `${JSON.stringify(latest, undefined, 2)}\n`)
  return answers.some(({ failures }) => failures.length > 0) ? 1 : 0
}

function quoted(argument: string): string {
  return /^[\w.,=-]+$/.test(argument) ? argument : JSON.stringify(argument)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
