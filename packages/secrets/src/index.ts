// Finds and redacts secrets in texts and in JSON values.
export { findSecrets, hasSecret } from "./find-secrets.js"
export type { JsonPlace } from "./json-leaves.js"
export { type RedactedText, redactText, replaceFindings } from "./redact-text.js"
export {
  type RedactedValue,
  type RedactOptions,
  redactValue,
  type ValueFinding,
} from "./redact-value.js"
export { RULES_VERSION } from "./rules-version.js"
export type { SecretFinding } from "./secret-finding.js"
