import type { Author } from "./author.js"
import { keepBooks } from "./bookkeeping.js"
import { assistantMessage, failedMessage, toolResultMessage, userMessage } from "./messages.js"
import { MODELS, type Model } from "./models.js"
import { changeSettings, modelChangeFields, thinkingLevelFields } from "./settings-changes.js"
import { branchSummaryFields, compactionFields } from "./summaries.js"
import type { ToolCall } from "./tool-call.js"

/** An endless conversation, of which the caller takes as many entries as it needs. */
export function* turns(author: Author): Generator<string, never> {
  let model = MODELS[0] as Model
  yield* opening(author, model)
  let compacted = 0
  for (;;) {
    if (compactionsDue(author) > compacted) {
      compacted++
      yield author.add("compaction", compactionFields(author))
    }
    yield* goBack(author)
    model = yield* changeSettings(author, model)
    yield* turn(author, model)
    yield* keepBooks(author)
    author.rest()
  }
}

function* opening(author: Author, model: Model): Generator<string> {
  const { style } = author.shape
  if (style === "omp")
    yield author.add("session_init", {
      systemPrompt: author.text.prose(4_000),
      task: author.text.prose(60),
      tools: ["read", "bash"],
    })
  if (style === "pi-v1" || style === "pi-migrated") return
  yield author.add("model_change", modelChangeFields(author, model))
  yield author.add("thinking_level_change", thinkingLevelFields(author))
}

/** How many compactions there should be by now, evenly spread. */
function compactionsDue({ shape, count }: Author): number {
  return Math.floor(count / (shape.entries / (shape.compactions + 1)))
}

/** Sometimes the conversation continues from an earlier point, with or without a summary of what is left behind. */
function* goBack(author: Author): Generator<string> {
  const { shape, random, restPoints, leafId } = author
  if (shape.style === "pi-v1" || shape.style === "pi-migrated" || leafId === null) return
  if (restPoints.length < 2 || !random.chance(shape.branching)) return
  if (shape.reach === Number.POSITIVE_INFINITY && random.chance(0.03)) author.goToStart()
  else author.goTo(random.pick(restPoints.slice(-shape.reach)))
  if (random.chance(0.5)) yield author.add("branch_summary", branchSummaryFields(author, leafId))
}

function* turn(author: Author, model: Model): Generator<string> {
  const { random, shape } = author
  author.beginTurn()
  yield author.add("message", { message: userMessage(author) })
  const rounds = random.size(9)
  let lastResult: string | null = null
  for (let round = 0; round < rounds; round++) {
    const message = assistantMessage(author, model, random.chance(0.05) ? random.between(2, 4) : 1)
    yield author.add("message", { message })
    for (const block of message.content) {
      if (block.type !== "toolCall") continue
      yield author.add("message", { message: toolResultMessage(author, block as ToolCall) })
      lastResult = author.leafId
    }
  }
  const message = random.chance(0.2) ? failedMessage(author, model) : assistantMessage(author, model, 0)
  yield author.add("message", { message })
  if (lastResult !== null && random.chance(shape.edits))
    yield author.add("context_edit", editFields(author, lastResult))
}

function editFields({ random }: Author, targetId: string) {
  const replacement = random.chance(0.3) ? null : { content: [{ type: "text", text: "[output omitted]" }] }
  return { targetId, replacement }
}
