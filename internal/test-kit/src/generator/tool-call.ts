import type { Author } from "./author.js"
import type { Model } from "./models.js"
import { USUAL_OUTPUT } from "./session-shape.js"
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
  const [, name, args] = pickTool(random.next())
  const call = { type: "toolCall", id: callId(author, provider), name, arguments: args(author) } as const
  return provider === "google" && random.chance(0.3) ? { ...call, thoughtSignature: text.base64(600) } : call
}

type Tool = readonly [share: number, name: string, args: (author: Author) => Record<string, unknown>]

const TOOLS: readonly Tool[] = [
  [0.3, "bash", ({ random }) => ({ command: random.pick(COMMANDS) })],
  [0.15, "bash", (author) => ({ command: `cat <<'EOF' | sh\n${codeOf(author, 250)}\nEOF`, timeout: 60 })],
  [0.12, "read", ({ random }) => ({ path: pathOf(random) })],
  [0.12, "read", ({ random }) => ({ path: pathOf(random), offset: random.between(1, 400), limit: 200 })],
  [
    0.27,
    "edit",
    (author) => ({ path: pathOf(author.random), oldText: codeOf(author, 650), newText: codeOf(author, 850) }),
  ],
  [0.04, "write", (author) => ({ path: pathOf(author.random), content: codeOf(author, 10_000) })],
]

/** @param random from 0, below 1 */
function pickTool(random: number): Tool {
  let sum = 0
  for (const tool of TOOLS) {
    sum += tool[0]
    if (random < sum) return tool
  }
  return TOOLS[0] as Tool
}

/** Code of about that many UTF-16 units that a model writes; less of it where the shape's tools put out less than usual. */
export function codeOf({ shape, random, text }: Author, chars: number): string {
  return text.code(Math.min(random.size(chars * Math.min(1, shape.toolOutput / USUAL_OUTPUT)), 50_000))
}

export function pathOf(random: Author["random"]): string {
  return `${random.pick(FOLDERS.split(" "))}/${random.pick(FILE_NAMES.split(" "))}`
}

function callId({ random, text }: Author, provider: string): string {
  if (provider === "openai") return `call_${random.hex(24)}|fc_${random.hex(50)}`
  if (provider === "google") return `${random.hex(8)}`
  return `toolu_01${text.base64(24).replace(/[+/]/g, "A").slice(0, 22)}`
}
