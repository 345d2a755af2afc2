import type { Session } from "@treelog/session-core"
import type { Random } from "@treelog-internal/test-kit/generator"
import type { PiSession } from "./pi.js"

const MODELS = ["claude-sonnet-4-5", "claude-opus-4-5"]

/**
 * Goes on with a session by as many random steps, through the methods that treelog's Session and pi's SessionManager share.
 * The first message is answered, since pi writes nothing before.
 */
export function grow(session: Session | PiSession, random: Random, steps: number): void {
  if (session.getLeafId() === null) {
    session.appendMessage({ role: "user", content: "Begin 开始 🙂", timestamp: 1 })
    session.appendMessage(answer(random))
  }
  for (let step = 0; step < steps; step++) random.pick(STEPS)(session, random)
  // Where a bare branch() leaves the leaf is in no file: the last step is an entry.
  session.appendMessage(answer(random))
}

type Step = (session: Session | PiSession, random: Random) => void

const STEPS: readonly Step[] = [
  (session, random) =>
    session.appendMessage({ role: "user", content: `Question ${random.hex(4)} — “quoted”`, timestamp: 2 }),
  (session, random) =>
    session.appendMessage({ role: "user", content: [{ type: "text", text: random.hex(2) }], timestamp: 3 }),
  (session, random) => session.appendMessage(answer(random)),
  (session, random) => session.appendMessage(answer(random)),
  (session, random) => session.appendMessage(toolResult(random)),
  (session, random) => session.appendMessage({ ...BASH, exitCode: random.below(2) }),
  (session, random) => session.appendModelChange("anthropic", random.pick(MODELS)),
  (session, random) => session.appendThinkingLevelChange(random.pick(["off", "low", "high"])),
  (session, random) =>
    session.appendCompaction(`Summary ${random.hex(4)}`, onBranch(session, random), 9_000, { readFiles: [] }),
  (session, random) => session.appendCustomEntry("todo", { items: [random.below(9)] }),
  (session, random) =>
    session.appendCustomMessageEntry("memory", `Note ${random.hex(4)}`, random.chance(0.5), { n: 1 }),
  (session, random) =>
    session.appendLabelChange(anyId(session, random), random.chance(0.8) ? `mark ${random.hex(2)}` : undefined),
  (session, random) => session.appendSessionInfo(`Name ${random.hex(2)}`),
  (session, random) => session.branch(anyId(session, random)),
  (session, random) =>
    session.branchWithSummary(random.chance(0.1) ? null : anyId(session, random), `Left ${random.hex(2)}`),
]

const BASH = {
  role: "bashExecution",
  command: "ls",
  output: "a\nb",
  cancelled: false,
  truncated: false,
  timestamp: 4,
} as const

function anyId(session: Session | PiSession, random: Random): string {
  return random.pick(session.getEntries()).id
}

function onBranch(session: Session | PiSession, random: Random): string {
  return random.pick(session.getBranch()).id
}

function answer(random: Random) {
  const usage = { input: 3, output: random.below(90), cacheRead: 0, cacheWrite: 0, totalTokens: 9 }
  const [provider, api, model] = ["anthropic", "anthropic-messages", random.pick(MODELS)]
  const content = [
    { type: "thinking" as const, thinking: "Hm.", thinkingSignature: random.hex(40) },
    { type: "text" as const, text: `Answer ${random.hex(6)}` },
    { type: "toolCall" as const, id: `toolu_${random.hex(8)}`, name: "read", arguments: { path: "src/a.ts" } },
  ]
  return { role: "assistant" as const, content, api, provider, model, usage, stopReason: "stop", timestamp: 5 }
}

function toolResult(random: Random) {
  const content = [{ type: "text" as const, text: `a\tb\n${random.hex(30)}` }]
  return { role: "toolResult" as const, toolCallId: "toolu_1", toolName: "read", content, isError: false, timestamp: 6 }
}
