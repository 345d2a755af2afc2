import { findSecretsIn, type NamedText } from "./find-secrets.js"
import type { SecretFinding } from "./secret-finding.js"

/** A text without its secrets, and what they were. */
export interface RedactedText {
  readonly text: string
  /** Places in the text as it was given. */
  readonly findings: readonly SecretFinding[]
}

/** What remains may be a secret again, as of two that lay side by side: so many times it is looked at. */
const ROUNDS = 4

/** Puts `[redacted <kind>]` in the place of what looks like a secret, until nothing does. */
export async function redactText(text: string): Promise<RedactedText> {
  const [redacted] = await redactTexts([{ text }])
  return redacted ?? { text, findings: [] }
}

/** The same for many texts, which takes a fraction of the time that they take one by one. */
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

/** Puts `[redacted <kind>]` in the place of what was found in a text. */
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
