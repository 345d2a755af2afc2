import type { Author } from "./author.js"
import { bashMessage } from "./messages.js"
import { SMALL_MODELS } from "./models.js"
import { usageOf } from "./usage.js"

/** What programs and people put between two turns, now and then. v1 knows nothing of it but commands that people ran. */
export function* keepBooks(author: Author): Generator<string> {
  const { shape, random } = author
  if (random.chance(0.04)) yield author.add("message", { message: bashMessage(author) })
  if (shape.style === "pi-v1" || author.shape.style === "pi-migrated") return
  for (const [chance, styles, type, fields] of BOOKS) {
    if (!styles.includes(shape.style) || !random.chance(chance)) continue
    const value = fields(author)
    if (value) yield author.add(type, value)
  }
}

type Fields = Record<string, unknown>
type Book = readonly [chance: number, styles: string, type: string, fields: (author: Author) => Fields | undefined]

const BOOKS: readonly Book[] = [
  [
    0.18,
    "pi omp treelog",
    "custom",
    ({ random, text }) => ({
      customType: "todo",
      data: { items: [{ text: text.prose(40), done: random.chance(0.5) }] },
    }),
  ],
  [0.09, "pi omp treelog", "custom_message", noteFields],
  [0.1, "pi omp treelog", "label", labelFields],
  [0.04, "pi treelog", "session_info", ({ text }) => ({ name: text.prose(30).trim() })],
  [
    0.04,
    "pi",
    "usage",
    ({ random }) => ({
      kind: "cache_warm",
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      usage: usageOf(random, 0),
      note: "warm",
    }),
  ],
  [0.02, "omp", "title_change", ({ text }) => ({ title: text.prose(30).trim(), source: "auto" })],
  [
    0.04,
    "omp",
    "mode_change",
    ({ random }) =>
      random.chance(0.5) ? { mode: "none" } : { mode: "plan", data: { planFile: `docs/plan-${random.hex(4)}.md` } },
  ],
  [
    0.04,
    "omp",
    "ttsr_injection",
    ({ random }) => ({ injectedRules: [random.pick(["no-any", "auth-first", "small-files"])] }),
  ],
  [
    0.02,
    "omp",
    "model_usage",
    ({ random }) => ({ purpose: "title", role: "smol", ...random.pick(SMALL_MODELS), usage: usageOf(random, 12) }),
  ],
  [
    0.01,
    "omp",
    "service_tier_change",
    ({ random }) => ({ serviceTier: random.chance(0.5) ? { anthropic: "priority" } : null }),
  ],
  [0.01, "omp", "credential_pin", ({ random }) => ({ provider: "anthropic", hash: random.hex(16) })],
  [0.003, "omp", "reset_boundary", () => ({})],
]

function noteFields({ shape, random, text }: Author): Fields {
  const words = text.prose(random.size(200))
  const content = random.chance(0.5) ? words : [{ type: "text", text: words }]
  const details = random.chance(0.7) ? { details: { source: `mem-${random.hex(6)}` } } : {}
  return {
    customType: "memory",
    content,
    display: random.chance(0.8),
    ...details,
    ...(shape.style === "omp" && { attribution: "agent" }),
  }
}

/** A label on a point of the past, or its clearing. */
function labelFields({ restPoints, random, text }: Author): Fields | undefined {
  const target = restPoints.length > 0 ? random.pick(restPoints) : undefined
  if (!target) return undefined
  return { targetId: target.id, ...(random.chance(0.85) && { label: text.prose(12).trim() || "mark" }) }
}
