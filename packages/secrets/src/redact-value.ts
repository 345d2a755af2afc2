import { secretsIn } from "./find-secrets.js"
import { JsonLeaves, type JsonPlace, type Leaf } from "./json-leaves.js"
import { redacted, replaceFindings } from "./redact-text.js"
import type { SecretFinding } from "./secret-finding.js"

/** A finding in a JSON value. */
export interface ValueFinding {
  readonly kind: string
  /** The path of the string, such as `message.content[0].text`, with secrets in names of fields redacted. */
  readonly path: string
}

/** A redacted value, and its findings. */
export interface RedactedValue<Value> {
  readonly value: Value
  readonly findings: readonly ValueFinding[]
}

/** Options for redacting JSON values. */
export interface RedactOptions {
  /** Returns true for strings to skip, such as signatures and images. Default: none. */
  readonly skip?: (place: JsonPlace) => boolean
}

/**
 * Replaces what looks like a secret by `[redacted <kind>]` in every string of a JSON value, including names of fields and JSON within
 * strings. The value is not modified: the result shares unchanged parts with it, and is the value itself if nothing was found.
 * @throws TypeError for a value that holds itself, which is no JSON
 */
export function redactValue<Value>(value: Value, { skip = () => false }: RedactOptions = {}): RedactedValue<Value> {
  const tree = new JsonLeaves(value, skip)
  const parts = partsOfKeys(tree.leaves)
  const found: { readonly leaf: Leaf; readonly kind: string }[] = []
  for (const leaf of tree.leaves) {
    const own = parts.get(leaf) ?? []
    const { text, findings } = redacted({ ...leaf, text: replaceFindings(leaf.text, own) })
    for (const { kind } of [...own, ...findings]) found.push({ leaf, kind })
    if (text !== leaf.text) tree.replace(leaf, text)
  }
  if (found.length === 0) return { value, findings: [] }
  return { value: tree.result() as Value, findings: found.map(({ leaf, kind }) => ({ kind, path: tree.pathOf(leaf) })) }
}

/** What only several strings show: private keys whose lines are strings of their own, and the secret key behind an id of AWS. */
const TOGETHER = /PRIVATE KEY|A[KS]IA/
const TOGETHER_KINDS: ReadonlySet<string> = new Set(["private key", "AWS secret key"])

/** The parts of such secrets, by string. */
function partsOfKeys(leaves: readonly Leaf[]): Map<Leaf, SecretFinding[]> {
  const parts = new Map<Leaf, SecretFinding[]>()
  if (!leaves.some(({ text }) => TOGETHER.test(text))) return parts
  const joined = leaves.map(({ text }) => text).join("\n")
  const keys = secretsIn({ text: joined }).filter(({ kind }) => TOGETHER_KINDS.has(kind))
  let [start, at] = [0, 0]
  for (const leaf of leaves) {
    const end = start + leaf.text.length
    const own: SecretFinding[] = []
    while (at < keys.length && (keys[at]?.end ?? 0) <= start) at += 1
    for (let next = at, key = keys[next]; key && key.start < end; key = keys[++next])
      own.push({ ...key, start: Math.max(key.start - start, 0), end: Math.min(key.end, end) - start })
    if (own.length > 0) parts.set(leaf, own)
    start = end + 1
  }
  return parts
}
