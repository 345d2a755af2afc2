import { applyRules } from "./apply-rules.js"
import { kindByName } from "./rules/named.js"
import type { SecretFinding } from "./secret-finding.js"
import { viewsOf } from "./views.js"

/** A text with what stands around it: a name such as `password` shows that the text is a secret. */
export interface NamedText {
  readonly text: string
  /** The name of its field. */
  readonly name?: string | undefined
  /** The strings before it, such as the arguments of a command. */
  readonly before?: string | undefined
}

/** Finds what looks like a secret in a text, in order, without overlaps. */
export function findSecrets(text: string): SecretFinding[] {
  return secretsIn({ text })
}

/** Whether a text looks like it contains a secret. */
export function hasSecret(text: string): boolean {
  return secretsIn({ text }).length > 0
}

export function secretsIn({ text, name, before = "" }: NamedText): SecretFinding[] {
  const whole = name === undefined ? undefined : kindByName(name, text)
  const found: SecretFinding[] = whole === undefined ? [] : [{ kind: whole, start: 0, end: text.length }]
  const [head, tail] = name === undefined ? [before, ""] : [`${name}="`, '"']
  for (const view of viewsOf(text))
    for (const finding of applyRules(`${head}${view.text}${tail}`)) {
      const start = Math.max(finding.start - head.length, 0)
      const end = Math.min(finding.end - head.length, view.text.length)
      if (end > start) found.push({ kind: finding.kind, ...view.placed(start, end) })
    }
  return mergeFindings(found)
}

/** Sorts findings and merges those that overlap. The kind is that of the first one, or of the longer one if both start together. */
function mergeFindings(findings: readonly SecretFinding[]): SecretFinding[] {
  const merged: SecretFinding[] = []
  for (const finding of [...findings].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (!last || finding.start >= last.end) merged.push(finding)
    else if (finding.end > last.end) merged[merged.length - 1] = { ...last, end: finding.end }
  }
  return merged
}
