/** How one kind of secret is known. */
export interface SecretRule {
  readonly kind: string
  /** One of these is in every text that the pattern fits: looking for them is faster. Empty: the pattern tells. */
  readonly hints: readonly string[]
  /** The group `secret`, where there is one, is what is secret; else all of it is. Sticky: it begins with a hint. Else global. */
  readonly pattern: RegExp
  /** Whether it takes what stands around the secret. Else a long word is all that the rule looks at. */
  readonly context?: boolean
  /** A last look at what the pattern found. */
  readonly accepts?: ((secret: string) => boolean) | undefined
}

/** Where a token may begin: not in the middle of a word. */
const START = "(?<![A-Za-z0-9])"

/** Between a name and its value: `=`, `:`, `=>` or `:=`, with quotes around either, escaped ones too. */
export const IS = String.raw`\\{0,8}["'\`]?\s{0,3}(?::=|=>|[:=])\s{0,3}\\{0,8}["'\`]?`

/**
 * A rule for tokens that are known by how they begin.
 * @param beginnings what such a token may begin with
 * @param source the pattern of a whole token
 */
export function tokenRule(kind: string, beginnings: readonly string[], source: string): SecretRule {
  return { kind, hints: beginnings, pattern: new RegExp(START + source, "y") }
}

/** A rule for what is known by the name that stands before it. */
export function namedRule(kind: string, name: string, secret: string, accepts?: SecretRule["accepts"]): SecretRule {
  return { kind, hints: [], pattern: new RegExp(`${name}${IS}(?<secret>${secret})`, "gi"), context: true, accepts }
}

/** Where a rule's pattern fits. */
export function* matchesOf({ hints, pattern }: SecretRule, text: string): Generator<RegExpExecArray> {
  if (pattern.sticky) for (const hint of hints) yield* matchesAt(hint, pattern, text)
  else if (hints.length === 0 || hints.some((hint) => text.includes(hint))) yield* text.matchAll(pattern)
}

function* matchesAt(hint: string, pattern: RegExp, text: string): Generator<RegExpExecArray> {
  for (let at = text.indexOf(hint); at !== -1; at = text.indexOf(hint, at + 1)) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) yield match
  }
}
