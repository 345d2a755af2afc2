import type { SecretFinding } from "@treelog/secrets"
import { inBatches } from "./batches.js"
import type { Piece } from "./export-format.js"
import type { Redactor } from "./redactor.js"

/** What is to be exported still holds a secret, and nothing was written. Has the shape of a TreelogError, so that it is reported like one. */
export class SecretLeftError extends Error {
  override readonly name = "SecretLeftError"
  readonly code = "SecretLeftError"
  readonly data: { readonly kinds: readonly string[] }

  constructor(kinds: readonly string[]) {
    super(
      `What looks like a secret (${kinds.join(", ")}) could not be redacted without breaking the format, so nothing was exported. \`treelog scan\` lists the places.`,
    )
    this.data = { kinds }
  }
}

/** Whether what was found is a part of something that stays on purpose. */
export function isOpaqueAt(
  json: string,
  { start, end }: SecretFinding,
  opaque: ReadonlySet<string> = new Set(),
): boolean {
  for (const text of opaque) {
    const written = JSON.stringify(text).slice(1, -1)
    for (let at = json.indexOf(written); at !== -1 && at <= start; at = json.indexOf(written, at + 1))
      if (end <= at + written.length) return true
  }
  return false
}

/** What remains of a text may be a secret again: so many times it is redacted. */
const ROUNDS = 3

/**
 * Scans the output for secrets, piece by piece: what the values do not show, such as a field that stands
 * in a line twice, shows here. What is still found is redacted; what is found even then is never written.
 * @throws SecretLeftError
 */
export async function* redactPieces(
  pieces: AsyncIterable<Piece>,
  redactor: Redactor,
): AsyncGenerator<string | Uint8Array> {
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
