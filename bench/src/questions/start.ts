import { bareNode } from "../contenders/command.js"
import { storeCommand } from "../contenders/store-command.js"
import { writeStore } from "../data/store.js"
import type { Case, Question } from "../question.js"

function startCase(name: string, args: readonly string[], within: number): Case {
  const contender = `treelog ${args.join(" ")}`
  return {
    name,
    size: 1,
    isSpawned: true,
    prepare: (folder) => writeStore(folder, 20),
    contenders: { [contender]: storeCommand(...args) },
    probes: { "node's start": bareNode },
    bars: [{ contender, beside: "node's start", within }],
  }
}

export const start: Question = {
  name: "start",
  asks: "How long does a short command take, from the start of its process to the end?",
  rounds: 9,
  cases: [
    startCase("the version", ["--version"], 40),
    startCase("the help of a command", ["list", "--help"], 80),
    startCase("a list of 20 sessions", ["list", "--all"], 80),
    startCase("the same as JSON", ["list", "--all", "--json"], 80),
  ],
}
