import { foldPrompt, normalizePrompt } from "../../memory/prompt-fold.js"
import type { ImportedPrompt, PromptScope } from "../../ports/prompt-history.js"
import { equal } from "../assert.js"
import type { ContractTests } from "./contract-tests.js"
import { Random } from "./random.js"
import { samplePrompts } from "./sample-prompts.js"
import { sampleQueries } from "./sample-queries.js"

const LIMIT = 30

export function scanTests(contract: ContractTests): void {
  contract.describe("500 queries over 20,000 prompts", () => {
    contract.test("find what looking at every prompt finds", async ({ history }) => {
      const random = new Random(6)
      const prompts = samplePrompts(random, 20_000)
      await history.import(prompts)
      const scan = newestFirst(prompts)
      for (const query of sampleQueries(random, 500)) {
        const found = await history.search(query, { limit: LIMIT })
        equal(
          found.map(({ text }) => text),
          scanAll(scan, query),
          `what ${JSON.stringify(query.slice(0, 80))} finds`,
        )
      }
    })

    contract.test("find the same in a folder and in a session, also after deleting", async ({ history }) => {
      const random = new Random(7)
      const prompts = samplePrompts(random, 4000)
      await history.import(prompts)
      await history.delete({ query: "the" })
      await history.delete({ scope: { kind: "session", sessionId: "s7" } })
      const left = prompts.filter(({ text, sessionId }) => !foldPrompt(text).includes("the") && sessionId !== "s7")
      const scan = newestFirst(left)
      for (const query of sampleQueries(random, 120)) {
        const [cwd, sessionId] = [`/home/user/project-${random.below(13)}`, `s${random.below(400)}`]
        const scopes: PromptScope[] = [
          { kind: "cwd", cwd },
          { kind: "session", sessionId },
        ]
        for (const scope of scopes) {
          const found = await history.search(query, { scope, limit: LIMIT })
          const inScope = scan.filter((prompt) =>
            scope.kind === "cwd" ? prompt.cwd === cwd : prompt.sessionId === sessionId,
          )
          equal(
            found.map(({ text }) => text),
            scanAll(inScope, query),
            `what ${JSON.stringify([query, scope])} finds`,
          )
        }
      }
    })
  })
}

interface Scanned extends ImportedPrompt {
  readonly folded: string
}

/** The prompts that an import keeps, by the documentation of the port. */
function newestFirst(prompts: readonly ImportedPrompt[]): Scanned[] {
  const seen = new Set<string>()
  return prompts
    .map((prompt) => ({
      ...prompt,
      text: normalizePrompt(prompt.text),
      folded: foldPrompt(normalizePrompt(prompt.text)),
    }))
    .filter(
      ({ text, createdAt, sessionId }) => text !== "" && isNew(seen, JSON.stringify([text, createdAt, sessionId])),
    )
    .map((prompt, order) => ({ ...prompt, order }))
    .sort((a, b) => b.createdAt - a.createdAt || b.order - a.order)
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

function isNew(seen: Set<string>, value: string): boolean {
  return !seen.has(value) && seen.add(value).has(value)
}
