import { JsonLeaves, type JsonPlace, type Leaf } from "./json-leaves.js"
import { redactTexts } from "./redact-texts.js"

/** What looks like a secret inside a JSON value. */
export interface ValueFinding {
  readonly kind: string
  /** Where it stands: `message.content[0].text`. Secrets in the names of fields are redacted in it. */
  readonly path: string
}

/** A value without its secrets, and what they were. */
export interface RedactedValue<Value> {
  readonly value: Value
  readonly findings: readonly ValueFinding[]
}

/** What is looked at, and what is put in the place of a secret. */
export interface RedactOptions {
  /** Strings that are to be left alone, such as signatures and pictures. Default: none. */
  readonly skip?: (place: JsonPlace) => boolean
}

/**
 * Puts `[redacted <kind>]` in the place of what looks like a secret, in every string of a JSON value: names of fields too, and
 * JSON within strings. The value is not changed: the result shares with it what is the same, and is the value itself when
 * nothing was found.
 */
export async function redactValue<Value>(value: Value, options?: RedactOptions): Promise<RedactedValue<Value>> {
  const [redacted] = await redactValues([value], options)
  return redacted ?? { value, findings: [] }
}

/** The same for many values, which takes a fraction of the time that they take one by one. */
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
