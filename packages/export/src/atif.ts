import { TreelogError } from "@treelog/session-core"
import { type ModelUsage, sumOfUsages } from "@treelog/session-core/search"
import { imageLabel } from "@treelog-internal/text"
import type { ExportEntries } from "./export-entries.js"
import { interchangeJson } from "./interchange-json.js"
import type { Step, StepCall, StepContent, StepContext, StepReply, StepResult } from "./step.js"

/** The newest version that all readers of 2026 take. What 1.8 adds is sound, which no session has. */
const VERSION = "ATIF-v1.7"

/**
 * A trajectory of the Agent Trajectory Interchange Format, which Harbor defines: a step for each prompt and each call of a model, with the results
 * of its tools. Sub-agents are trajectories within it.
 * @throws InvalidArgumentError where nothing is exported: a trajectory has at least one step
 */
export async function* atif(entries: ExportEntries): AsyncGenerator<string> {
  yield* trajectory(entries, undefined)
  yield "\n"
}

/** @param partId of a sub-agent, which is within the trajectory of the session */
async function* trajectory(entries: ExportEntries, partId: string | undefined): AsyncGenerator<string> {
  const { sessionId, name, cwd } = entries.head()
  const usages: ModelUsage[] = []
  let model: string | undefined
  let count = 0
  let last: string | null = null
  const head = {
    schema_version: VERSION,
    session_id: sessionId,
    trajectory_id: partId,
    extra: { name: name || undefined, cwd },
  }
  const written = (step: object): string => {
    count += 1
    const before = count === 1 ? `${interchangeJson(head).slice(0, -1)},"steps":[\n` : ",\n"
    return before + interchangeJson({ step_id: count, ...step })
  }
  for await (const step of entries.steps()) {
    usages.push(...(step.reply?.usage ? [step.reply.usage] : []), ...step.otherUsages)
    model ??= step.reply?.model
    for (const one of stepsOf(step, last, entries)) yield written(one)
    last = step.id
  }
  if (count === 0 && partId === undefined) {
    const message = "There is nothing to export: a trajectory has at least one step."
    throw new TreelogError("InvalidArgumentError", message, { argument: "session", value: sessionId })
  }
  if (count === 0) yield written({ source: "system", message: "" })
  const agent = { name: entries.agent, version: entries.agentVersion, model_name: model }
  yield `\n],"agent":${interchangeJson(agent)},"final_metrics":${interchangeJson(finalMetrics(usages, count, entries))}`
  let isFirst = true
  for await (const { name, entries: part } of entries.parts()) {
    yield isFirst ? ',"subagent_trajectories":[\n' : ",\n"
    isFirst = false
    yield* trajectory(part, entries.partId(name))
  }
  yield isFirst ? "}" : "\n]}"
}

/** @param last the step before it in the document */
function stepsOf(step: Step, last: string | null, entries: ExportEntries): object[] {
  const { kind, reply, content, context, parts } = step
  const extra = { entry_id: step.id, ...(step.parentId !== last && { parent_entry_id: step.parentId }), kind }
  const dated = timestampOf(step.time)
  const steps: object[] = []
  if (reply) {
    const { provider, responseId: response_id, stopReason: stop_reason, errorMessage: error_message } = reply
    const ofReply = { provider, response_id, stop_reason, error_message }
    steps.push({ ...dated, ...agentStep(reply, step, entries), extra: { ...extra, ...ofReply } })
  } else if (context) {
    const said = content.length > 0 && { observation: { results: [{ content: contentOf(content, entries) }] } }
    steps.push({ ...dated, source: "system", message: "", ...said, extra: { ...extra, ...contextExtra(context) } })
  } else if (parts.length > 0)
    steps.push({ ...dated, source: "system", message: "", observation: { results: [refsTo(parts, entries)] }, extra })
  else if (step.source !== "agent")
    steps.push({ ...dated, source: step.source, message: contentOf(content, entries), extra })
  if (step.results.length > 0) {
    const observation = { results: step.results.map((result) => resultOf(result, entries)) }
    steps.push({ ...dated, source: "agent", message: "", observation, llm_call_count: 0, extra })
  }
  for (const usage of step.otherUsages) {
    const [, model] = /^(?:[^/]*\/)?(.*)$/s.exec(usage.model) ?? []
    const metrics = metricsOf(usage, entries)
    steps.push({ ...dated, source: "agent", model_name: model, message: "", metrics, llm_call_count: 1, extra })
  }
  return steps
}

function agentStep(reply: StepReply, { content, isCopy }: Step, entries: ExportEntries): object {
  const { model, level, thinking, calls, usage } = reply
  const results = calls.flatMap((call) => resultsOf(call, entries))
  return {
    source: "agent",
    model_name: model,
    reasoning_effort: level,
    message: contentOf(content, entries),
    ...(thinking.length > 0 && { reasoning_content: thinking.join("\n\n") }),
    ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
    ...(results.length > 0 && { observation: { results } }),
    metrics: usage && metricsOf(usage, entries),
    llm_call_count: 1,
    is_copied_context: isCopy || undefined,
  }
}

function callOf({ id, name, arguments: values, results }: StepCall): object {
  const call = { tool_call_id: id, function_name: name, arguments: values }
  return results.length > 0 ? call : { ...call, extra: { has_result: false } }
}

/** A sub-agent stands with the first result of its call. */
function resultsOf({ id, results, parts }: StepCall, entries: ExportEntries): object[] {
  const refs = parts.length > 0 && refsTo(parts, entries)
  const own = results.map((result, at) => ({
    source_call_id: id,
    ...resultOf(result, entries),
    ...(at === 0 && refs),
  }))
  return own.length === 0 && refs ? [{ source_call_id: id, ...refs }] : own
}

function resultOf({ id, content, isError, callId, toolName }: StepResult, entries: ExportEntries): object {
  const extra = { entry_id: id, call_id: callId, tool_name: toolName, is_error: isError || undefined }
  return { content: contentOf(content, entries), extra }
}

function refsTo(parts: Step["parts"], entries: ExportEntries): object {
  return { subagent_trajectory_ref: parts.map((name) => ({ trajectory_id: entries.partId(name) })) }
}

/** What a compaction replaces, the model gets no more: it gets the observation of the step instead. */
function contextExtra({ type, firstKeptEntryId, targetId }: StepContext): object {
  if (type === "edit") return { context_management: { type: "pruning", target_entry_id: targetId } }
  if (type === "reset") return { context_management: { type: "pruning", boundary: "truncate" } }
  return { context_management: { type: "compaction", boundary: "replace", first_kept_entry_id: firstKeptEntryId } }
}

const IMAGES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"])

function contentOf(content: readonly StepContent[], entries: ExportEntries): string | object[] {
  const [first, ...others] = content.map((one) => {
    if (one.type === "text") return one
    const isImage = IMAGES.has(one.mimeType) && !one.data.startsWith("blob:")
    const path = isImage ? entries.imageAddress(one) : undefined
    if (path === undefined) return { type: "text" as const, text: imageLabel({ ...one }) }
    return { type: "image" as const, source: { media_type: one.mimeType, path } }
  })
  if (!first) return ""
  return others.length === 0 && first.type === "text" ? first.text : [first, ...others]
}

/** Tokens of a prompt include those that were read from a cache or written to it. */
function metricsOf(usage: ModelUsage, entries: ExportEntries): object {
  const { prompt, output, cached, cost, extra } = amountsOf([usage], entries)
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    cached_tokens: cached,
    cost_usd: cost,
    extra: { ...extra, service_tier: usage.serviceTier },
  }
}

/** The sums over the steps. What sub-agents used is in their own trajectories. */
function finalMetrics(usages: readonly ModelUsage[], count: number, entries: ExportEntries): object {
  const { prompt, output, cached, cost, extra } = amountsOf(usages, entries)
  return {
    total_prompt_tokens: prompt,
    total_completion_tokens: output,
    total_cached_tokens: cached,
    total_cost_usd: cost,
    total_steps: count,
    extra,
  }
}

function amountsOf(usages: readonly ModelUsage[], entries: ExportEntries) {
  const { input, output, cacheRead, cacheWrite, totalTokens, ...more } = sumOfUsages(usages)
  const { reported, estimated } = entries.costOf(usages)
  const cost = reported + estimated
  const rare = {
    reasoning_tokens: more.reasoning,
    cache_write_1h_tokens: more.cacheWrite1h,
    web_searches: more.webSearches,
    premium_requests: more.premiumRequests,
    estimated_cost_usd: estimated > 0 ? estimated : undefined,
  }
  return {
    prompt: Math.round(input + cacheRead + cacheWrite),
    output: Math.round(output),
    cached: Math.round(cacheRead),
    cost: cost > 0 ? cost : undefined,
    extra: { cache_write_tokens: cacheWrite, total_tokens: totalTokens, ...rare },
  }
}

/** ISO 8601. Readers know four digits of a year. */
function timestampOf(time: number | undefined): { readonly timestamp?: string } {
  const timestamp = time === undefined ? "" : new Date(time).toISOString()
  return /^\d{4}-/.test(timestamp) ? { timestamp } : {}
}
