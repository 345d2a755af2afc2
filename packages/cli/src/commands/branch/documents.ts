import { appended, diagnostic, document, list, optional, orNull, text } from "../../define/document.js"

export const documents = document({
  ...appended,
  targetId: orNull(text),
  summary: optional("With --summarize; null where nothing is left behind.", orNull(text)),
  diagnostics: optional("With --summarize: long texts that it saw cut.", list(diagnostic)),
})
