import type { ModelUsage } from "@treelog/session-core/search"
import { interchangeJson } from "./interchange-json.js"
import type { Step, StepCall, StepContent, StepReply, StepResult } from "./step.js"
import { plainContent } from "./step-content.js"

/** The attributes of a span by their names. What is undefined is left out. Messages and arguments are JSON. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** As OTLP JSON has them. Its integers are texts. */
export function attributeList(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: otlpValue(value) }],
  )
}

function otlpValue(value: string | number | boolean | readonly string[]): object {
  if (typeof value === "string") return { stringValue: value }
  if (typeof value === "boolean") return { boolValue: value }
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } }
}

/** Of the span of a reply. @param input the messages since the reply before, which the model got besides all that is before them */
export function replyAttributes(step: Step, reply: StepReply, input: readonly object[]): Attributes {
  const reason = reply.stopReason === undefined ? undefined : (FINISH[reply.stopReason] ?? reply.stopReason)
  const parts = [
    ...reply.thinking.map((content) => ({ type: "reasoning", content })),
    ...step.content.map(partOf),
    ...reply.calls.map(({ id, name, arguments: values }) => ({ type: "tool_call", id, name, arguments: values })),
  ]
  return {
    ...modelAttributes(reply.provider, reply.model),
    "gen_ai.request.reasoning.level": reply.level,
    "gen_ai.conversation.compacted": reply.isCompacted || undefined,
    "gen_ai.response.id": reply.responseId,
    "gen_ai.response.model": reply.model,
    "gen_ai.response.finish_reasons": reason === undefined ? undefined : [reason],
    ...(reply.usage && usageAttributes(reply.usage)),
    "gen_ai.input.messages": interchangeJson(input),
    "gen_ai.output.messages": interchangeJson([{ role: "assistant", parts, finish_reason: reason ?? "unknown" }]),
  }
}

const FINISH: Readonly<Record<string, string>> = { toolUse: "tool_call" }

/** @param result undefined where none was stored */
export function callAttributes(call: StepCall, result: StepResult | undefined): Attributes {
  return {
    "gen_ai.tool.name": call.name,
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": call.id,
    "gen_ai.tool.call.arguments": interchangeJson(call.arguments),
    "gen_ai.tool.call.result": result && plainContent(result.content),
  }
}

export function modelAttributes(provider: string | undefined, model: string | undefined): Attributes {
  const name = provider ?? "unknown"
  return { "gen_ai.provider.name": PROVIDERS[name] ?? name, "gen_ai.request.model": model }
}

/** What the conventions call providers that sessions name otherwise. */
const PROVIDERS: Readonly<Record<string, string>> = {
  "amazon-bedrock": "aws.bedrock",
  "azure-openai-responses": "azure.ai.openai",
  google: "gcp.gemini",
  "google-vertex": "gcp.vertex_ai",
  mistral: "mistral_ai",
  xai: "x_ai",
}

/** Input tokens include those that were read from a cache or written to it. */
export function usageAttributes({ usage }: ModelUsage): Attributes {
  const { input, output, cacheRead, cacheWrite, reasoning, cost } = usage
  return {
    "gen_ai.usage.input_tokens": input + cacheRead + cacheWrite,
    "gen_ai.usage.output_tokens": output,
    "gen_ai.usage.cache_read.input_tokens": cacheRead,
    "gen_ai.usage.cache_write.input_tokens": cacheWrite,
    "gen_ai.usage.reasoning.output_tokens": reasoning,
    // No convention names it.
    "treelog.usage.cost": cost > 0 ? cost : undefined,
  }
}

/** What a step says, as a message that a model gets. */
export function inputMessages({ source, content, results }: Step): object[] {
  const said = content.length > 0 ? [{ role: source, parts: content.map(partOf) }] : []
  return source === "agent" ? results.map(resultMessage) : said
}

export function resultMessage({ callId, content }: StepResult): object {
  const parts = [{ type: "tool_call_response", id: callId, response: plainContent(content) }]
  return { role: "tool", parts: [...parts, ...content.filter(({ type }) => type === "image").map(partOf)] }
}

function partOf(content: StepContent): object {
  if (content.type === "text") return { type: "text", content: content.text }
  const { mimeType, data } = content
  const media = { mime_type: mimeType, modality: "image" }
  return data.startsWith("blob:") ? { type: "uri", ...media, uri: data } : { type: "blob", ...media, content: data }
}
