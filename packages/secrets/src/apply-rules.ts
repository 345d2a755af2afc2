import { CLOUD_RULES } from "./rules/cloud.js"
import { CODE_HOST_RULES } from "./rules/code-hosts.js"
import { COMMAND_RULES } from "./rules/commands.js"
import { FORM_RULES } from "./rules/forms.js"
import { MODEL_RULES } from "./rules/models.js"
import { NAMED_RULES } from "./rules/named.js"
import { SERVICE_RULES } from "./rules/services.js"
import { isWithinBase64 } from "./rules/within-base64.js"
import type { SecretFinding } from "./secret-finding.js"
import type { SecretRule } from "./secret-rule.js"

const RULES: readonly SecretRule[] = [
  ...CLOUD_RULES,
  ...CODE_HOST_RULES,
  ...MODEL_RULES,
  ...SERVICE_RULES,
  ...FORM_RULES,
  ...COMMAND_RULES,
  ...NAMED_RULES,
]

/** Applies all rules to a text. */
export function* applyRules(text: string): Generator<SecretFinding> {
  const hinted = new Set<SecretRule>()
  for (const { rule, at } of HINTS.in(text)) {
    if (rule.pattern.sticky) yield* foundAt(rule, at, text)
    else hinted.add(rule)
  }
  for (const rule of RULES)
    if (!rule.pattern.sticky && (rule.hints.length === 0 || hinted.has(rule))) yield* foundAnywhere(rule, text)
}

/** The hints of rules, by their first two characters, so that one scan finds all of them. */
class Hints {
  readonly #rules = new Map<number, { readonly hint: string; readonly rule: SecretRule }[]>()
  /** 1 at each pair of characters with which a hint starts. */
  readonly #begins = new Uint8Array(1 << 14)

  constructor(rules: readonly SecretRule[]) {
    for (const rule of rules) {
      for (const hint of rule.hints) {
        const pair = (hint.charCodeAt(0) << 7) | hint.charCodeAt(1)
        this.#begins[pair] = 1
        this.#rules.set(pair, [...(this.#rules.get(pair) ?? []), { hint, rule }])
      }
    }
  }

  *in(text: string): Generator<{ rule: SecretRule; at: number }> {
    const begins = this.#begins
    let before = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const pair = (before << 7) | code
      before = code > 0x7f ? 0 : code
      if (code > 0x7f || begins[pair] === 0) continue
      for (const { hint, rule } of this.#rules.get(pair) ?? [])
        if (text.startsWith(hint, at - 1)) yield { rule, at: at - 1 }
    }
  }
}

const HINTS = /* @__PURE__ */ new Hints(RULES)

function foundAt(rule: SecretRule, at: number, text: string): SecretFinding[] {
  rule.pattern.lastIndex = at
  const match = rule.pattern.exec(text)
  return match ? secretsIn(rule, match, text) : []
}

function* foundAnywhere(rule: SecretRule, text: string): Generator<SecretFinding> {
  const { pattern } = rule
  for (let from = 0; ; ) {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (!match) return
    yield* secretsIn(rule, match, text)
    // The matched value may contain the next name; a matched list was searched completely.
    from = rule.each ? match.index + match[0].length : Math.max(match.index + 1, secretStart(match))
  }
}

function secretsIn({ kind, accepts, each, rest }: SecretRule, match: RegExpExecArray, text: string): SecretFinding[] {
  const secret = secretOf(match)
  const start = secretStart(match)
  if ((accepts && !accepts(secret, text, start)) || isWithinBase64(secret, text, start)) return []
  if (!each) return [{ kind, start, end: rest ? endOf(rest, text, start + secret.length) : start + secret.length }]
  return [...secret.matchAll(each)].map((inner) => {
    const from = start + secretStart(inner)
    return { kind, start: from, end: from + secretOf(inner).length }
  })
}

function endOf(rest: RegExp, text: string, from: number): number {
  rest.lastIndex = from
  return rest.test(text) ? rest.lastIndex : from
}

function secretOf({ 0: whole, groups }: RegExpExecArray): string {
  return groups?.secret ?? groups?.quoted ?? groups?.bare ?? whole
}

/** The start of the secret, which is at the end of its match. */
function secretStart(match: RegExpExecArray): number {
  return match.index + match[0].lastIndexOf(secretOf(match))
}
