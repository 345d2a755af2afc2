import type { SessionContext } from "@treelog/session-core"
import { contextFidelity } from "@treelog/session-core/adapter"
import { cleanLine, type Fields, messageLines, paintOf, roleName, type TranscriptOptions } from "@treelog-internal/text"
import type { CommandContext } from "../../io/command-context.js"
import { missingBlobsIn } from "../../render/missing-blobs.js"
import { padded } from "../../render/width.js"
import { printDiagnostics } from "../../sessions/open-to-read-or-write.js"

/** The API whose form messages have. */
export const LLM_FORMATS = ["anthropic", "openai", "openai-responses", "ai-sdk"] as const

export type LlmFormat = (typeof LLM_FORMATS)[number]

export interface ContextCommandOptions {
  readonly leaf?: string
  readonly provider?: string
  readonly full?: boolean
  readonly llm?: LlmFormat
  readonly repair?: boolean
}

interface ContextView {
  readonly full: boolean
  readonly shortId: (id: string) => string
  /** Where blobs were looked for: a folder, a bucket; undefined for nowhere. */
  readonly blobs: string | undefined
}

export async function printContext(
  context: CommandContext,
  built: SessionContext,
  { blobs, ...view }: ContextView,
): Promise<void> {
  if (context.options.json) return context.printJson({ ...built, fidelity: contextFidelity(built) })
  await context.print(contextLines(built, { style: context.style, ...view }))
  await reportMissing(context, built, blobs)
}

export async function reportMissing(
  context: CommandContext,
  built: SessionContext,
  blobs: string | undefined,
): Promise<void> {
  await printDiagnostics(context, built.diagnostics)
  if (built.diagnostics.some(({ kind }) => kind === "missing-blob"))
    await context.log(missingBlobsIn("Some blobs", blobs))
}

const ROLE_WORDS: Readonly<Record<string, string>> = {
  compactionSummary: "compaction",
  branchSummary: "branch summary",
}

/** The settings, then each message with the entry that gave it. A command that the user excluded is marked: the model does not get it. */
function* contextLines(context: SessionContext, options: Omit<TranscriptOptions, "withData">): Generator<string> {
  const { style, shortId } = options
  for (const [name, value] of settingsOf(context)) yield `${style.paint("dim", padded(name, 9))} ${cleanLine(value)}`
  for (const [index, message] of context.messages.entries()) {
    const fields = message as unknown as Fields
    const who = (Object.hasOwn(ROLE_WORDS, message.role) ? ROLE_WORDS[message.role] : undefined) ?? roleName(fields)
    const entryId = cleanLine(shortId(context.entries[index] ?? ""))
    yield ""
    const place = [entryId, ...(fields.excludeFromContext === true ? ["not sent"] : [])].join(` ${style.glyphs.dot} `)
    yield `${style.paint(["bold", paintOf(who)], who)}${style.paint("dim", ` ${style.glyphs.dot} ${place}`)}`
    yield* messageLines(fields, options)
  }
}

function settingsOf(context: SessionContext): [string, string][] {
  const { model, models, thinkingLevel, mode, injectedTtsrRules, messages } = context
  const settings: [string, string][] = [["model", model ? `${model.provider}/${model.modelId}` : "none"]]
  for (const [role, name] of Object.entries(models))
    if (role !== "default") settings.push([`  ${cleanLine(role)}`, name])
  settings.push(["thinking", thinkingLevel])
  if (mode !== "none") settings.push(["mode", mode])
  if (injectedTtsrRules.length > 0) settings.push(["rules", injectedTtsrRules.join(", ")])
  settings.push(["messages", String(messages.length)])
  const { exactness, reason } = contextFidelity(context)
  settings.push(["fidelity", `${exactness}: ${reason}`])
  return settings
}
