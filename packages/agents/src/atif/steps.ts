import type { ContentBlock, Usage } from "@treelog/session-core"
import { countIn, type Json, objectIn, objectsIn, textIn, usageFields } from "../kit.js"

/** What the model used for a step; undefined where no metrics say it, and of a step that another trajectory has. */
export function usageOf(step: Json): Usage | undefined {
  const metrics = step.is_copied_context === true ? undefined : objectIn(step, "metrics")
  return metrics && metricsUsage(metrics)
}

/** What a trajectory says that its steps used in all. */
export function sumOf(trajectory: Json): Usage | undefined {
  const sums = objectIn(trajectory, "final_metrics") ?? {}
  const usage = metricsUsage({
    prompt_tokens: sums.total_prompt_tokens,
    completion_tokens: sums.total_completion_tokens,
    cached_tokens: sums.total_cached_tokens,
    cost_usd: sums.total_cost_usd,
  })
  return usage.totalTokens || usage.cost?.total ? usage : undefined
}

/** Tokens of the prompt include cached ones, and in newer versions of Harbor those that it caches. `extra` has what treelog or a provider says more. */
function metricsUsage(metrics: Json): Usage {
  const extra = objectIn(metrics, "extra") ?? {}
  const cacheRead = countIn(metrics, "cached_tokens") || countIn(extra, "cache_read_input_tokens")
  const cacheWrite = countIn(extra, "cache_write_tokens") || countIn(extra, "cache_creation_input_tokens")
  const rest = Math.max(0, countIn(metrics, "prompt_tokens") - cacheRead)
  const tokens = {
    ...{ input: rest < cacheWrite ? rest : rest - cacheWrite, output: countIn(metrics, "completion_tokens") },
    ...{ cacheRead, cacheWrite },
    cacheWrite1h:
      countIn(extra, "cache_write_1h_tokens") ||
      countIn(objectIn(extra, "cache_creation") ?? {}, "ephemeral_1h_input_tokens"),
    webSearches:
      countIn(extra, "web_searches") || countIn(objectIn(extra, "server_tool_use") ?? {}, "web_search_requests"),
    ...serviceTierIn(extra),
  }
  const usage = usageFields(tokens, countIn(extra, "total_tokens") || undefined)
  const reasoning = countIn(extra, "reasoning_tokens") || countIn(extra, "reasoning_output_tokens")
  // An estimate is none of the program that wrote it.
  const isEstimate = countIn(extra, "estimated_cost_usd") > 0
  const total = typeof metrics.cost_usd === "number" && !isEstimate ? metrics.cost_usd : 0
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total }
  return { ...usage, ...(reasoning > 0 && { reasoning }), cost }
}

function serviceTierIn(extra: Json): { serviceTier?: string } {
  const serviceTier = textIn(extra, "service_tier")
  return serviceTier === undefined ? {} : { serviceTier }
}

/** The model of a step, and its provider, where one of them says it. */
export function modelOf(step: Json, fallback: string | undefined): { provider: string; model: string } {
  const named = textIn(step, "model_name") ?? fallback ?? "unknown"
  const own = textIn(objectIn(step, "extra") ?? {}, "provider")
  const [, before, behind] = /^([^/]+)\/(.+)$/s.exec(named) ?? []
  if (own !== undefined || behind === undefined) return { provider: own ?? "unknown", model: named }
  return { provider: before ?? "unknown", model: behind }
}

/** A text, or parts of texts and files. A file that is not in the document is its path. */
export function contentOf(content: unknown): ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  return objectsIn(content).map((part): ContentBlock => {
    if (part.type === "text") return { type: "text", text: String(part.text) }
    const source = objectIn(part, "source") ?? {}
    const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(textIn(source, "path") ?? "") ?? []
    if (part.type === "image" && mimeType !== undefined && data !== undefined) return { type: "image", mimeType, data }
    return { type: "text", text: `[${part.type} ${source.media_type} ${source.path}]` }
  })
}

/** The texts of a content. */
export function textOf(content: unknown): string {
  return contentOf(content)
    .flatMap((block) => ("text" in block ? [String(block.text)] : []))
    .join("\n\n")
}
