import { foldPrompt, normalizePrompt } from "../../memory/prompt-fold.js"
import type { ImportedPrompt } from "../../ports/prompt-history.js"
import type { Tests } from "./fixture.js"
import { Random } from "./random.js"
import { samplePrompts } from "./sample-prompts.js"
import { sampleQueries } from "./sample-queries.js"

const LIMIT = 30

export const scanTests: Tests = {
  "find what looking at every prompt finds": async ({ history, finds }) => {
    const random = new Random(6)
    const prompts = samplePrompts(random, 20_000)
    await history.import(prompts)
    const scan = newestFirst(prompts)
    for (const query of sampleQueries(random, 500)) await finds(query, scanAll(scan, query), { limit: LIMIT })
  },

  "find the same in a folder and in a session, also after deleting": async ({ history, finds }) => {
    const random = new Random(7)
    const prompts = samplePrompts(random, 4000)
    await history.import(prompts)
    await history.delete({ query: "the" })
    await history.delete({ scope: { kind: "session", sessionId: "s7" } })
    const left = prompts.filter(({ text, sessionId }) => !foldPrompt(text).includes("the") && sessionId !== "s7")
    const scan = newestFirst(left)
    for (const query of sampleQueries(random, 120)) {
      const [cwd, sessionId] = [`/home/user/project-${random.below(13)}`, `s${random.below(400)}`]
      const inFolder = scan.filter((prompt) => prompt.cwd === cwd)
      await finds(query, scanAll(inFolder, query), { scope: { kind: "cwd", cwd }, limit: LIMIT })
      const inSession = scan.filter((prompt) => prompt.sessionId === sessionId)
      await finds(query, scanAll(inSession, query), { scope: { kind: "session", sessionId }, limit: LIMIT })
    }
  },
}

interface Scanned extends ImportedPrompt {
  readonly folded: string
}

/** The prompts that an import keeps, by the documentation of the port. */
function newestFirst(prompts: readonly ImportedPrompt[]): Scanned[] {
  const kept = new Map<string, Scanned>()
  for (const prompt of prompts) {
    const text = normalizePrompt(prompt.text)
    const key = JSON.stringify([text, prompt.createdAt, prompt.sessionId])
    if (text !== "" && !kept.has(key)) kept.set(key, { ...prompt, text, folded: foldPrompt(text) })
  }
  return [...kept.values()].reverse().sort((a, b) => b.createdAt - a.createdAt)
}

function scanAll(prompts: readonly Scanned[], query: string): string[] {
  const terms = foldPrompt(query).split(/\s+/)
  const found = new Set<string>()
  for (const { text, folded } of prompts) {
    if (found.size === LIMIT) break
    if (terms.every((term) => folded.includes(term))) found.add(text)
  }
  return [...found]
}
