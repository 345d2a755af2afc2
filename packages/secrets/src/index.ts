// Finds and redacts secrets in texts and in JSON values.
export { findSecrets, findSecretsIn, type NamedText } from "./find-secrets.js"
export { hasSecrets } from "./has-secrets.js"
export type { JsonPlace } from "./json-leaves.js"
export { type RedactedText, redactText, redactTexts, replaceFindings } from "./redact-texts.js"
export {
  type RedactedValue,
  type RedactOptions,
  redactValue,
  redactValues,
  type ValueFinding,
} from "./redact-values.js"
export { RULES_VERSION } from "./rules-version.js"
export type { SecretFinding } from "./secret-finding.js"
