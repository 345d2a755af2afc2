import { bytes, count, described, diagnostic, document, list, object, oneOf, text } from "../../define/document.js"

export const documents = document({
  sessionId: text,
  path: described("The session that was exported. An absolute path.", text),
  output: described("The file that was written. An absolute path.", text),
  format: oneOf("md", "text", "jsonl", "json", "atif", "sts", "otel", "html"),
  bytes,
  entries: count,
  redacted: list("What was taken out, most of it first.", object({ kind: text, count })),
  leftOut: described("Lines that cannot be read, and were left out.", count),
  artifactsLeft: list("Names of files that are kept with the session, and are not in the export.", text),
  diagnostics: list("With --inline-images, or --images files: blobs that are missing or damaged.", diagnostic),
})
