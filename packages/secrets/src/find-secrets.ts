import { applyContextRules, applyTokenRules } from "./apply-rules.js"
import { blankEscapes } from "./blank-escapes.js"
import { joinTexts, longWordsOf } from "./join-texts.js"
import { mergeFindings } from "./merge-findings.js"
import type { SecretFinding } from "./secret-finding.js"
import { loadSecretlint } from "./secretlint.js"

/** Characters that are looked at in one go: with fewer, what each go costs by itself would count. */
const GO = 200_000

/** A text, and the name that it goes by where it stands: `password` tells what the text beside it is. */
export interface NamedText {
  readonly text: string
  readonly name?: string | undefined
}

/**
 * What looks like a secret in a text, in order, without overlaps: what secretlint's recommended rules find, and rules of our own.
 * secretlint is loaded when the first text comes that may hold one.
 */
export async function findSecrets(text: string): Promise<SecretFinding[]> {
  const [findings = []] = await findSecretsIn([{ text }])
  return findings
}

/** The same for many texts, which takes a fraction of the time that they take one by one. */
export async function findSecretsIn(texts: readonly NamedText[]): Promise<SecretFinding[][]> {
  const found = texts.map((): SecretFinding[] => [])
  for (const joined of joinTexts(texts, GO)) {
    const text = blankEscapes(joined.text)
    const share = (finding: SecretFinding): void => {
      for (const { index, kind, start, end } of joined.shared(finding)) found[index]?.push({ kind, start, end })
    }
    const words = longWordsOf(text)
    if (words.text !== "") {
      const findByRules = await loadSecretlint()
      for (const finding of await findByRules(words.text)) for (const one of words.shared(finding)) share(one)
      for (const finding of applyTokenRules(words.text)) for (const one of words.shared(finding)) share(one)
    }
    for (const finding of applyContextRules(text)) share(finding)
  }
  return found.map(mergeFindings)
}
