import type { Diagnostic } from "@treelog/session-core"
import { numberText, plural, sizeText } from "../render/quantities.js"

interface Exported {
  readonly entries: number
  readonly leftOut: number
  readonly diagnostics: readonly Diagnostic[]
  readonly redacted: readonly { readonly kind: string; readonly count: number }[]
  /** Undefined for stdout. */
  readonly output: string | undefined
  readonly bytes: number
}

/** What there is to say of an export. */
export function* exportSentences({
  entries,
  leftOut,
  diagnostics,
  redacted,
  output,
  bytes,
}: Exported): Generator<string> {
  if (entries === 0) yield "There is nothing in what was to be exported."
  if (redacted.length > 0) {
    const kinds = redacted.map(({ kind, count }) => (count === 1 ? kind : `${kind} (${numberText(count)})`)).join(", ")
    const count = redacted.reduce((sum, { count }) => sum + count, 0)
    yield `Redacted ${plural(count, "secret")}: ${kinds}. --no-redact keeps them.`
  }
  if (leftOut > 0)
    yield `${plural(leftOut, "line")} that cannot be read ${leftOut === 1 ? "was" : "were"} left out, since nobody can vouch for ${leftOut === 1 ? "it" : "them"}. --no-redact keeps them as they are.`
  for (const message of new Set(diagnostics.map(({ message }) => message))) yield message
  if (output !== undefined) yield `Exported ${plural(entries, "entry", "entries")}, ${sizeText(bytes)}, to ${output}`
}
