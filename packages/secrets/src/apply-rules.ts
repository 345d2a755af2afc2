import { CLOUD_RULES } from "./rules/cloud.js"
import { CODE_HOST_RULES } from "./rules/code-hosts.js"
import { FORM_RULES } from "./rules/forms.js"
import { MODEL_RULES } from "./rules/models.js"
import { NAMED_RULES } from "./rules/named.js"
import { SERVICE_RULES } from "./rules/services.js"
import type { SecretFinding } from "./secret-finding.js"
import type { SecretRule } from "./secret-rule.js"

/** What secretlint does not know, or knows less of. */
const OWN_RULES: readonly SecretRule[] = [
  ...CLOUD_RULES,
  ...CODE_HOST_RULES,
  ...MODEL_RULES,
  ...SERVICE_RULES,
  ...FORM_RULES,
  ...NAMED_RULES,
]

const TOKEN_RULES = /* @__PURE__ */ OWN_RULES.filter(({ context }) => !context)
const CONTEXT_RULES = /* @__PURE__ */ OWN_RULES.filter(({ context }) => context)

/** What the rules find for which a token is enough. */
export function applyTokenRules(words: string): Generator<SecretFinding> {
  return apply(TOKEN_RULES, words)
}

/** What those find that look at what stands around it. */
export function applyContextRules(text: string): Generator<SecretFinding> {
  return apply(CONTEXT_RULES, text)
}

function* apply(rules: readonly SecretRule[], text: string): Generator<SecretFinding> {
  for (const rule of rules) {
    if (rule.pattern.sticky) for (const hint of rule.hints) yield* foundAtHint(rule, hint, text)
    else if (rule.hints.length === 0 || rule.hints.some((hint) => text.includes(hint))) yield* foundAnywhere(rule, text)
  }
}

function* foundAtHint(rule: SecretRule, hint: string, text: string): Generator<SecretFinding> {
  const { pattern } = rule
  for (let at = text.indexOf(hint); at !== -1; ) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    const findings = match ? secretsIn(rule, match, text) : []
    yield* findings
    at = text.indexOf(hint, Math.max(at + 1, findings.at(-1)?.end ?? 0))
  }
}

function* foundAnywhere(rule: SecretRule, text: string): Generator<SecretFinding> {
  const { pattern } = rule
  for (let from = 0; ; ) {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (!match) return
    const findings = secretsIn(rule, match, text)
    yield* findings
    // What was taken for a value and is none may hold the next name.
    from = findings.length > 0 ? match.index + match[0].length : Math.max(match.index + 1, secretStart(match))
  }
}

function secretsIn({ kind, accepts, each }: SecretRule, match: RegExpExecArray, text: string): SecretFinding[] {
  const secret = secretOf(match)
  const start = secretStart(match)
  if (accepts && !accepts(secret, text, start)) return []
  if (!each) return [{ kind, start, end: start + secret.length }]
  return [...secret.matchAll(each)].map((inner) => {
    const from = start + secretStart(inner)
    return { kind, start: from, end: from + secretOf(inner).length }
  })
}

function secretOf({ 0: whole, groups }: RegExpExecArray): string {
  return groups?.secret ?? groups?.quoted ?? groups?.bare ?? whole
}

/** A secret stands at the end of what is matched around it. */
function secretStart(match: RegExpExecArray): number {
  return match.index + match[0].lastIndexOf(secretOf(match))
}
