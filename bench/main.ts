// npm run bench: every question. npm run bench -- growth open: those. A table on stdout, progress on stderr, figures in
// results/latest.json.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Answer, ask } from "./src/ask.js"
import { formatAnswer } from "./src/format-answer.js"
import { thisMachine } from "./src/machine.js"
import { QUESTIONS, questionNamed } from "./src/questions.js"

const RESULTS = fileURLToPath(new URL("../results", import.meta.url))

const asked = process.argv.slice(2)
const questions = await Promise.all((asked.length > 0 ? asked : Object.keys(QUESTIONS)).map(questionNamed))
const machine = thisMachine()
const { cpu, cores, memoryGb, system, node, load } = machine
process.stdout.write(`${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, load ${load}\n\n`)

const answers: Answer[] = []
for (const question of questions) {
  const answer = await ask(question, (progress) => process.stderr.write(`${progress}\n`))
  answers.push(answer)
  process.stdout.write(`${formatAnswer(answer)}\n`)
}
mkdirSync(RESULTS, { recursive: true })
const latest = { v: 1, taken: new Date().toISOString(), machine, answers }
writeFileSync(join(RESULTS, "latest.json"), `${JSON.stringify(latest, undefined, 2)}\n`)
