import { applyContextRules, applyTokenRules } from "./apply-rules.js"
import { joinTexts, longWordsOf } from "./join-texts.js"
import { mergeFindings } from "./merge-findings.js"
import { kindByName } from "./rules/named.js"
import type { SecretFinding } from "./secret-finding.js"
import { loadSecretlint } from "./secretlint.js"
import { viewsOf } from "./views.js"

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
  const found = texts.map(({ text, name }) => wholeValue(text, name))
  const views = texts.flatMap(({ text, name }, index) =>
    viewsOf(text).map((view) => ({ index, name, view, text: view.text })),
  )
  for (const joined of joinTexts(views, GO)) {
    const share = (finding: SecretFinding): void => {
      for (const { index, kind, start, end } of joined.shared(finding)) {
        const seen = views[index]
        if (seen && end > start) found[seen.index]?.push({ kind, ...seen.view.placed(start, end) })
      }
    }
    const words = longWordsOf(joined.text)
    if (words.text !== "") {
      const findByRules = await loadSecretlint()
      for (const finding of await findByRules(words.text)) for (const one of words.shared(finding)) share(one)
      for (const finding of applyTokenRules(words.text)) for (const one of words.shared(finding)) share(one)
    }
    for (const finding of applyContextRules(joined.text)) share(finding)
  }
  return found.map(mergeFindings)
}

/** A text is a value as a whole, with spaces and quotes, where a name stands beside it. */
function wholeValue(text: string, name: string | undefined): SecretFinding[] {
  const kind = name === undefined ? undefined : kindByName(name, text)
  return kind === undefined ? [] : [{ kind, start: 0, end: text.length }]
}
