import type { Author } from "./author.js"
import type { Model } from "./models.js"
import { COMMANDS, FILE_NAMES, FOLDERS } from "./vocabulary.js"

export interface ToolCall {
  readonly type: "toolCall"
  readonly id: string
  readonly name: string
  readonly arguments: Record<string, unknown>
  readonly thoughtSignature?: string
}

/** A call of one of the four tools of a coding agent, with the ids and signatures of the model's provider. */
export function toolCallOf(author: Author, { provider }: Model): ToolCall {
  const { random, text } = author
  const [name, args] = random.pick(TOOLS)
  const call = { type: "toolCall", id: callId(author, provider), name, arguments: args(author) } as const
  return provider === "google" && random.chance(0.3) ? { ...call, thoughtSignature: text.base64(600) } : call
}

const TOOLS: readonly (readonly [string, (author: Author) => Record<string, unknown>])[] = [
  ["bash", ({ random }) => ({ command: random.pick(COMMANDS) })],
  ["bash", ({ random, text }) => ({ command: `cat <<'EOF' | sh\n${text.code(random.size(120))}\nEOF`, timeout: 60 })],
  ["read", ({ random }) => ({ path: pathOf(random) })],
  ["read", ({ random }) => ({ path: pathOf(random), offset: random.between(1, 400), limit: 200 })],
  [
    "edit",
    ({ random, text }) => ({
      path: pathOf(random),
      oldText: text.code(random.size(300)),
      newText: text.code(random.size(400)),
    }),
  ],
  ["write", ({ random, text }) => ({ path: pathOf(random), content: text.code(random.size(2_500)) })],
]

export function pathOf(random: Author["random"]): string {
  return `${random.pick(FOLDERS.split(" "))}/${random.pick(FILE_NAMES.split(" "))}`
}

function callId({ random, text }: Author, provider: string): string {
  if (provider === "openai") return `call_${random.hex(24)}|fc_${random.hex(50)}`
  if (provider === "google") return `${random.hex(8)}`
  return `toolu_01${text.base64(24).replace(/[+/]/g, "A").slice(0, 22)}`
}
