// One sample: a process that does one piece of work once, and prints what it measured. Called by main.ts.
import type { Sample } from "./src/question.js"
import { questionNamed } from "./src/questions.js"

const [questionName = "", caseIndex = "", contenderName = "", folder = ""] = process.argv.slice(2)

const question = await questionNamed(questionName)
const contender = question.cases[Number(caseIndex)]?.contenders[contenderName]
if (!contender) throw new Error(`${questionName} has no ${contenderName} in its case ${caseIndex}.`)
const { run, answer } = await contender(folder)

const begin = performance.now()
const result = await run()
const end = performance.now()
// Kilobytes on every platform of Node.
const peakRss = process.resourceUsage().maxRSS * 1024

const sample: Sample = { ms: end - begin, sinceStartMs: end, peakRss, answer: answer(result) }
process.stdout.write(JSON.stringify(sample))
// A writer that is still open holds a lease; the folder goes with the run.
process.exit()
