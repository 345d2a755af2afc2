import { type ExportFormat, type ExportOptions, exportSession } from "@treelog/export"
import { MemorySessionStorage, type Session, SessionManager } from "@treelog/session-core"
import { bytesOf } from "@treelog-internal/test-kit"

export const INTERCHANGE = ["atif", "sts", "otel"] as const satisfies readonly ExportFormat[]

/** A session in memory. @param lines each with its line end */
export async function openedSession(lines: readonly string[]): Promise<Session> {
  const storage = new MemorySessionStorage()
  const key = "memory:/home/dev/shop/session"
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.create([bytesOf(lines.join(""))])
  return new SessionManager({ storage }).open(key, { access: "read" })
}

/** Exports all branches of it with its sub-agents, unless the options say otherwise. */
export async function exportedText(
  lines: readonly string[],
  parts: ReadonlyMap<string, readonly string[]>,
  options: ExportOptions,
): Promise<string> {
  async function* opened() {
    for (const [name, part] of parts) yield { name, session: await openedSession(part) }
  }
  const session = await openedSession(lines)
  let text = ""
  for await (const piece of exportSession(session, { allBranches: true, parts: opened, ...options }))
    text += String(piece)
  return text
}

export interface AtifStep {
  readonly step_id: number
  readonly source: string
  readonly message: unknown
  readonly model_name?: string
  readonly tool_calls?: readonly { readonly tool_call_id: string; readonly extra?: { readonly has_result?: false } }[]
  readonly observation?: {
    readonly results: readonly {
      readonly source_call_id?: string
      readonly content?: unknown
      readonly subagent_trajectory_ref?: readonly { readonly trajectory_id: string }[]
      readonly extra?: { readonly entry_id: string; readonly is_error?: true }
    }[]
  }
  readonly metrics?: Readonly<Record<string, unknown>>
  readonly extra: { readonly entry_id: string; readonly kind: string; readonly [key: string]: unknown }
}

export interface Trajectory {
  readonly schema_version: string
  readonly trajectory_id?: string
  readonly steps: readonly AtifStep[]
  readonly final_metrics: Readonly<Record<string, unknown>>
  readonly subagent_trajectories?: readonly Trajectory[]
}

export interface OtelSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status?: { readonly code: number }
}

export function spansIn(text: string): OtelSpan[] {
  return JSON.parse(text).resourceSpans[0].scopeSpans[0].spans
}

/** An attribute of a span; undefined where it has none. */
export function attributeOf({ attributes }: OtelSpan, key: string): unknown {
  const value = attributes.find((one) => one.key === key)?.value ?? {}
  const [found] = Object.values(value)
  return "intValue" in value ? Number(found) : found
}
