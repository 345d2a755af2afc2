import { type NamedText, secretsIn } from "./find-secrets.js"
import type { SecretFinding } from "./secret-finding.js"

/** A redacted text, and its findings. */
export interface RedactedText {
  readonly text: string
  /** The findings, as places in the original text. */
  readonly findings: readonly SecretFinding[]
}

/** The most scans of a text: a redacted text may contain a secret again, for example after two adjacent ones. */
const ROUNDS = 4

/** Replaces what looks like a secret by `[redacted <kind>]`, until nothing does. */
export function redactText(text: string): RedactedText {
  return redacted({ text })
}

export function redacted({ text, ...around }: NamedText): RedactedText {
  const findings = secretsIn({ text, ...around })
  let [left, found] = [text, findings]
  for (let round = 1; found.length > 0; round++) {
    if (round === ROUNDS) return { text: markOf(found[0]?.kind), findings }
    left = replaceFindings(left, found)
    found = secretsIn({ text: left, ...around })
  }
  return { text: left, findings }
}

/** Replaces the findings in a text by `[redacted <kind>]`. */
export function replaceFindings(text: string, findings: readonly SecretFinding[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { kind, start, end } of findings) {
    pieces.push(text.slice(at, start), markOf(kind))
    at = end
  }
  pieces.push(text.slice(at))
  return pieces.join("")
}

function markOf(kind = "secret"): string {
  return `[redacted ${kind}]`
}
