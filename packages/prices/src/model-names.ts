// Programs write one model in many forms: `claude-opus-4-5-20251101`, `us.anthropic.claude-opus-4-5-20251101-v1:0`,
// `claude-opus-4-5@20251101`, `anthropic/claude-opus-4.5`, `claude-opus-4-5[1m]`.

/** A longer text is not the name of a model. UTF-16 units. */
const LONGEST = 256

/** The name without case, white space around it, and a size of the context. */
export function plainName(name: string): string {
  if (name.length > LONGEST) return ""
  return name
    .trim()
    .toLowerCase()
    .replace(OF_A_USER, "$1")
    .replace(/\[[0-9.]+[km]\]$/, "")
}

/** What Droid calls a model that the user added, with a name for it and its place in the settings: `custom:Claude-Sonnet-4.5-[Proxy]-0`. */
const OF_A_USER = /^custom:(.*?)(?:-\[[^\]]*\])?-\d+$/

/**
 * One text for all forms of a model's name: without the provider, date, version of the listing, and effort. A name whose price differs
 * (`-fast`, `:batch`, `:free`) keeps that.
 */
export function canonicalName(name: string): string {
  let canonical = withoutProvider(plainName(name))
    .replace(/@.*$/, "")
    .replace(/-v\d+:\d+(:\d+[km])?$/, "")
    .replace(/(:|\s|\s*\()(minimal|low|medium|high|xhigh|max)\)?$/, "")
  // That it thinks costs nothing by itself: `claude-4.5-opus-high-thinking`, `claude-3.7-sonnet:thinking`.
  if (isClosed(canonical))
    canonical = canonical.replace(/-v\d$/, "").replace(/([-:](minimal|low|medium|high|xhigh|thinking|beta))+$/, "")
  return canonical
    .replace(/-(20\d\d-[01]\d-[0-3]\d|20\d\d[01]\d[0-3]\d)$/, "")
    .replace(/(?<=\d)\.(?=\d)/g, "-")
    .replace(/:batch$/, "-batch")
    .replace(/^claude-(\d+(?:-\d+)?)-(opus|sonnet|haiku)\b/, "claude-$2-$1")
}

/** The region that Amazon puts before the name of a provider: `us.anthropic.`; and that of a provider of models: `anthropic.`. */
const BEDROCK = /^(?:(?:us-gov|global|apac|us|eu|au|jp|in|ca|sa|ap|me|af)\.)?(?:[a-z][a-z0-9]*)\.(?=[a-z][a-z0-9]*-)/

/** What Databricks puts before the names of models of others: `databricks-claude-sonnet-4-5`. */
const DATABRICKS = /^databricks-(?=(?:claude|gpt|gemini)-)/

function withoutProvider(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1).replace(/^~/, "")
  return last.replace(BEDROCK, "").replace(DATABRICKS, "")
}

/** Whether the name is one that Amazon gives: it has a region or a provider before it, or a version behind it. */
export function isBedrockName(name: string): boolean {
  return BEDROCK.test(name.slice(name.lastIndexOf("/") + 1)) || name.includes("arn:aws:bedrock:")
}

/** Whether its maker alone runs the model and sets its price. */
export function isClosed(canonical: string): boolean {
  return /^(claude-|gpt-(?!oss)|chatgpt-|codex-|o[134](-|$)|gemini-|grok-)/.test(canonical)
}
