// One sample: a process that does one piece of work once, and prints what it measured. Called by main.ts.
import { peakRss } from "./src/peak-rss.js"
import type { Sample } from "./src/question.js"
import { questionNamed } from "./src/questions.js"

const [questionName = "", caseIndex = "", who = "", folder = "", scratch = ""] = process.argv.slice(2)

const question = await questionNamed(questionName)
const asked = question.cases[Number(caseIndex)]
const contender = asked?.contenders[who] ?? asked?.probes?.[who]
if (!contender) throw new Error(`${questionName} has no ${who} in its case ${caseIndex}.`)
const { run, answer, figures } = await contender(folder, scratch)

const cpu = process.cpuUsage()
const begin = performance.now()
const result = await run()
const end = performance.now()
const { user, system } = process.cpuUsage(cpu)
const measured = { ms: end - begin, cpuMs: (user + system) / 1_000, sinceStartMs: end, peakRss: peakRss() }

const own = figures?.(result)
const sample: Sample = { ...measured, answer: await answer(result), ...(own && { figures: own }) }
process.stdout.write(JSON.stringify(sample))
// A writer that is still open holds a lease; the folder goes with the run.
process.exit()
