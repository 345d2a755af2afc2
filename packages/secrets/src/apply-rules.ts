import { CLOUD_RULES } from "./rules/cloud.js"
import { CODE_HOST_RULES } from "./rules/code-hosts.js"
import { FORM_RULES } from "./rules/forms.js"
import { MODEL_RULES } from "./rules/models.js"
import { SERVICE_RULES } from "./rules/services.js"
import type { SecretFinding } from "./secret-finding.js"
import { matchesOf, type SecretRule } from "./secret-rule.js"

/** What secretlint does not know, or knows less of. */
const OWN_RULES: readonly SecretRule[] = [
  ...CLOUD_RULES,
  ...CODE_HOST_RULES,
  ...MODEL_RULES,
  ...SERVICE_RULES,
  ...FORM_RULES,
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
    for (const match of matchesOf(rule, text)) {
      const [whole] = match
      const secret = match.groups?.secret ?? whole
      if (rule.accepts && !rule.accepts(secret)) continue
      // A secret stands at the end of what is matched around it.
      const start = match.index + whole.lastIndexOf(secret)
      yield { kind: rule.kind, start, end: start + secret.length }
    }
  }
}
