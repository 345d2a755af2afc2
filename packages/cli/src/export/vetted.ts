import type { Piece } from "./export-format.js"
import { inBatches } from "./in-batches.js"
import { isOpaqueAt } from "./is-opaque-at.js"
import type { Redactor } from "./redactor.js"
import { SecretLeftError } from "./secret-left-error.js"

/** What remains of a text may be a secret again: so many times it is redacted. */
const ROUNDS = 3

/**
 * Looks at what is to be written, piece by piece, as it will be written: what the values do not show, such as a field that stands
 * in a line twice, shows here. What is still found is redacted; what is found even then is never written.
 * @throws SecretLeftError
 */
export async function* vetted(pieces: AsyncIterable<Piece>, redactor: Redactor): AsyncGenerator<string | Uint8Array> {
  const { findSecretsIn, replaceFindings } = await import("@treelog/secrets")
  for await (const batch of inBatches(pieces, ({ text }) => text.length)) {
    const texts = batch.map(({ text }) => text)
    for (let round = 0; ; round++) {
      const found = await findSecretsIn(texts.map((text) => ({ text })))
      const left = found.map((findings, index) =>
        findings.filter((finding) => !isOpaqueAt(texts[index] ?? "", finding, batch[index]?.opaque)),
      )
      if (left.every((findings) => findings.length === 0)) break
      if (round === ROUNDS) throw new SecretLeftError(kindsOf(left))
      for (const [index, findings] of left.entries()) {
        if (findings.length === 0) continue
        texts[index] = replaceFindings(texts[index] ?? "", findings)
        if (batch[index]?.isJson === true && !isJson(texts[index] ?? "")) throw new SecretLeftError(kindsOf([findings]))
        for (const { kind } of findings) redactor.count(kind)
      }
    }
    for (const [index, { before = "", bytes }] of batch.entries()) yield bytes ?? before + (texts[index] ?? "")
  }
}

function kindsOf(found: readonly (readonly { readonly kind: string }[])[]): string[] {
  return [...new Set(found.flat().map(({ kind }) => kind))]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
