import { findSecretsIn, type NamedText } from "./find-secrets.js"
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
export async function redactText(text: string): Promise<RedactedText> {
  const [redacted] = await redactTexts([{ text }])
  return redacted ?? { text, findings: [] }
}

/** The same for many texts, which is much faster than one by one. */
export async function redactTexts(texts: readonly NamedText[]): Promise<RedactedText[]> {
  const first = await findSecretsIn(texts)
  const results = texts.map(({ text }, index) => ({ text, findings: first[index] ?? [] }))
  let open = results.flatMap(({ findings }, index) => (findings.length > 0 ? [{ index, findings }] : []))
  for (let round = 1; open.length > 0; round++) {
    for (const { index, findings } of open) {
      const result = results[index]
      if (result) result.text = round < ROUNDS ? replaceFindings(result.text, findings) : markOf(findings[0]?.kind)
    }
    const again = open.map(({ index }) => ({ text: results[index]?.text ?? "", name: texts[index]?.name }))
    const found = round < ROUNDS ? await findSecretsIn(again) : []
    open = open.flatMap(({ index }, at) => {
      const findings = found[at] ?? []
      return findings.length > 0 ? [{ index, findings }] : []
    })
  }
  return results
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
