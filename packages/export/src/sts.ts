import type { ExportEntries } from "./export-entries.js"
import { interchangeJson } from "./interchange-json.js"
import type { Step } from "./step.js"
import { plainContent } from "./step-content.js"

/**
 * The Session Trace Simple Format of the Hugging Face Hub: a line for the session, and one for each message, with results behind their calls. It
 * holds texts alone, and neither sub-agents nor usage.
 */
export async function* sts(entries: ExportEntries): AsyncGenerator<string> {
  const { sessionId, name, cwd, cost } = entries.head()
  yield line({ type: "session", harness: entries.agent, id: sessionId, name: name || undefined, cwd, cost })
  for await (const step of entries.steps()) yield* messagesOf(step).map((message) => line({ type: "message", message }))
}

function line(value: object): string {
  return `${interchangeJson(value)}\n`
}

/** What a tool message says where its call has no result. */
const NO_RESULT = "[no result was stored]"

function messagesOf(step: Step): object[] {
  const { reply, content, source } = step
  const text = plainContent(content)
  // Their calls are not in the session: an id would link them to nothing.
  const results = step.results.map(({ content, time }) => toolMessage(undefined, plainContent(content), time))
  if (!reply) return text === "" ? results : [{ role: source, content: text, timestamp: step.time }, ...results]
  const calls = reply.calls.map((call) => ({
    id: call.id,
    function: { name: call.name, arguments: interchangeJson(call.arguments) },
  }))
  const message = {
    role: "assistant",
    content: text || (reply.errorMessage ?? ""),
    reasoningContent: reply.thinking.join("\n\n") || undefined,
    ...(calls.length > 0 && { toolCalls: calls }),
    timestamp: step.time,
    model: reply.model,
  }
  const answers = reply.calls.flatMap(({ id, results }) =>
    results.length === 0
      ? [toolMessage(id, NO_RESULT, undefined)]
      : results.map(({ content, time }) => toolMessage(id, plainContent(content), time)),
  )
  return [message, ...answers, ...results]
}

function toolMessage(toolCallId: string | undefined, content: string, time: number | undefined): object {
  return { role: "tool", toolCallId, content, timestamp: time }
}
