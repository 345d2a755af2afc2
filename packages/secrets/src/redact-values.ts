import { JsonLeaves, type JsonPlace, type Leaf } from "./json-leaves.js"
import { redactTexts } from "./redact-texts.js"

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
 */
export async function redactValue<Value>(value: Value, options?: RedactOptions): Promise<RedactedValue<Value>> {
  const [redacted] = await redactValues([value], options)
  return redacted ?? { value, findings: [] }
}

/** The same for many values, which is much faster than one by one. */
export async function redactValues<Value>(
  values: readonly Value[],
  { skip = () => false }: RedactOptions = {},
): Promise<RedactedValue<Value>[]> {
  const trees = values.map((value) => new JsonLeaves(value, skip))
  const leaves = trees.flatMap((tree) => tree.leaves.map((leaf) => ({ tree, leaf })))
  const redacted = await redactTexts(leaves.map(({ leaf }) => leaf))
  const found = new Map<JsonLeaves, { leaf: Leaf; kinds: readonly string[] }[]>()
  for (const [index, { tree, leaf }] of leaves.entries()) {
    const { text, findings } = redacted[index] ?? { text: leaf.text, findings: [] }
    if (findings.length === 0) continue
    tree.replace(leaf, text)
    const ofTree = found.get(tree) ?? []
    ofTree.push({ leaf, kinds: findings.map(({ kind }) => kind) })
    found.set(tree, ofTree)
  }
  return values.map((value, index) => {
    const tree = trees[index]
    const ofTree = (tree && found.get(tree)) ?? []
    if (!tree || ofTree.length === 0) return { value, findings: [] }
    const findings = ofTree.flatMap(({ leaf, kinds }) => kinds.map((kind) => ({ kind, path: tree.pathOf(leaf) })))
    return { value: tree.result() as Value, findings }
  })
}
