import type { SessionStorage } from "@treelog/session-core"
import {
  assistantMessage,
  chain,
  messageEntry,
  sessionText,
  testHeader,
  toolResultMessage,
  userEntry,
} from "@treelog-internal/test-kit"

const call = (id: string, name: string, given: object) => ({ type: "toolCall", id, name, arguments: given })

/** A session whose calls began sub-agents, in each form in which agents name them. */
export const agentSession = sessionText(
  testHeader(),
  ...chain(
    userEntry("ask", null, "Find out how carts work"),
    messageEntry(
      "calls",
      null,
      assistantMessage("", {
        content: [
          call("c1", "Task", { prompt: "Look for the carts", subagent_type: "Explore" }),
          call("c2", "spawn_agent", { message: "What is a cart?" }),
          call("c3", "Task", { prompt: "Read the tests of the carts" }),
          call("c4", "Task", { prompt: "Nobody began this one" }),
        ],
      } as never),
    ),
    messageEntry(
      "r1",
      null,
      toolResultMessage("Carts are in cart.ts", { toolCallId: "c1", details: { agentId: "a1" } } as never),
    ),
    messageEntry("r2", null, toolResultMessage('{"agent_id":"thread-2"}', { toolCallId: "c2" } as never)),
    messageEntry("r3", null, toolResultMessage("They pass", { toolCallId: "c3" } as never)),
    messageEntry("r4", null, toolResultMessage("Nothing", { toolCallId: "c4" } as never)),
  ),
)

/** The transcript of a sub-agent. */
export const transcript = (id: string, prompt: string, answer: string): string =>
  sessionText(
    testHeader({ id }),
    ...chain(userEntry(`${id}-1`, null, prompt), messageEntry(`${id}-2`, null, assistantMessage(answer))),
  )

/** Its artifacts, by their names. */
export const agentArtifacts: Readonly<Record<string, string>> = {
  "subagents/agent-a1.jsonl": transcript("agent-a1", "Look for the carts", "I looked in cart.ts"),
  "thread-2.jsonl": transcript("thread-2", "something else", "A list of lines"),
  "sidechain-3.jsonl": transcript("sidechain-3", "Read the tests of the carts", "I read cart.test.ts"),
  "tool-results/1.txt": "no transcript",
  "notes.jsonl": '{"no":"session"}\n',
}

/** A storage with artifacts, whatever the session. */
export function withArtifacts(
  storage: SessionStorage,
  artifacts: Readonly<Record<string, string>> = agentArtifacts,
): SessionStorage {
  return new Proxy(storage, {
    get(target, name) {
      if (name === "artifacts") return () => artifactsIn(artifacts)
      const value = Reflect.get(target, name, target)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}

async function* artifactsIn(artifacts: Readonly<Record<string, string>>) {
  // As a storage does, one buffer serves for all chunks.
  const buffer = Buffer.alloc(64)
  for (const [name, text] of Object.entries(artifacts)) yield { name, chunks: piecesOf(Buffer.from(text), buffer) }
}

async function* piecesOf(bytes: Buffer, buffer: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += buffer.length) {
    const size = bytes.copy(buffer, 0, at, at + buffer.length)
    yield buffer.subarray(0, size)
  }
}
