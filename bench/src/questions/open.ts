import { createHash } from "node:crypto"
import { join } from "node:path"
import { generateSession, writeLines } from "@treelog-internal/test-kit/generator"
import { loadPi } from "../contenders/pi.js"
import { loadTreelog } from "../contenders/treelog.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

const fileIn = (folder: string): string => join(folder, "session.jsonl")

const contenders: Record<string, Contender> = {
  treelog: async (folder) => {
    const sessions = await loadTreelog(folder)
    return work(() => sessions.readContext(fileIn(folder)), digestOf)
  },
  pi: async (folder) => {
    const pi = await loadPi()
    return work(() => pi.open(fileIn(folder)).buildSessionContext(), digestOf)
  },
}

function openCase(name: string, entries: number, compactions: number, toolOutput: number): Case {
  const shape = { seed: 1, style: "pi", entries, compactions, toolOutput, edits: 0, images: 0.01 } as const
  return { name, size: entries, prepare: (folder) => writeLines(fileIn(folder), generateSession(shape)), contenders }
}

export const open: Question = {
  name: "open",
  asks: "How long does it take to open a session in a new process and build its context?",
  rounds: 7,
  cases: [openCase("10k entries, 50 MB, compactions", 10_000, 50, 12_600)],
}

/** The messages themselves: both have to give the very same. */
function digestOf({ messages }: { messages: unknown[] }): string {
  return `${messages.length} messages, ${createHash("sha256").update(JSON.stringify(messages)).digest("hex").slice(0, 12)}`
}
