import { applyContextRules, applyTokenRules } from "./apply-rules.js"
import { joinTexts, longWordsOf } from "./join-texts.js"
import { mergeFindings } from "./merge-findings.js"
import { kindByName } from "./rules/named.js"
import type { SecretFinding } from "./secret-finding.js"
import { viewsOf } from "./views.js"

/** Characters per batch: with fewer, the fixed cost of a batch would dominate. */
const BATCH_SIZE = 200_000

/** A text with the name of its field: a name such as `password` shows that the text is a secret. */
export interface NamedText {
  readonly text: string
  readonly name?: string | undefined
}

/**
 * Finds what looks like a secret in a text, in order, without overlaps.
 */
export async function findSecrets(text: string): Promise<SecretFinding[]> {
  const [findings = []] = await findSecretsIn([{ text }])
  return findings
}

/** The same for many texts, which is much faster than one by one. */
export async function findSecretsIn(texts: readonly NamedText[]): Promise<SecretFinding[][]> {
  const found = texts.map(({ text, name }) => wholeValue(text, name))
  const views = texts.flatMap(({ text, name }, index) =>
    viewsOf(text).map((view) => ({ index, name, view, text: view.text })),
  )
  for (const joined of joinTexts(views, BATCH_SIZE)) {
    const share = (finding: SecretFinding): void => {
      for (const { index, kind, start, end } of joined.shared(finding)) {
        const seen = views[index]
        if (seen && end > start) found[seen.index]?.push({ kind, ...seen.view.placed(start, end) })
      }
    }
    const words = longWordsOf(joined.text)
    for (const finding of applyTokenRules(words.text)) for (const one of words.shared(finding)) share(one)
    for (const finding of applyContextRules(joined.text)) share(finding)
  }
  return found.map(mergeFindings)
}

/** The finding for a named text as a whole, including spaces and quotes. */
function wholeValue(text: string, name: string | undefined): SecretFinding[] {
  const kind = name === undefined ? undefined : kindByName(name, text)
  return kind === undefined ? [] : [{ kind, start: 0, end: text.length }]
}
