// Exports sessions as Markdown, text, JSON, JSONL and in formats of other programs, and finds the secrets that an export would redact.
export type { ExportHead } from "./export-entries.js"
export { type ExportOptions, type ExportSummary, exportSession, type SessionExport } from "./export-session.js"
export {
  type FindSecretsOptions,
  type FoundSecret,
  findSecretsInBytes,
  findSessionSecrets,
} from "./find-session-secrets.js"
export { EXPORT_FORMATS, type ExportFormat } from "./formats.js"
export type { ExportedImage } from "./message-markdown.js"
export type { ExportPart } from "./part-facts.js"
export type { FoundRange, RedactedValue, Redaction } from "./redaction.js"
