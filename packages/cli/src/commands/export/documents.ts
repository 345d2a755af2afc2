import { bytes, count, described, diagnostic, document, list, object, oneOf, text } from "../../define/document.js"

/** What `treelog export --json` prints. */
export const documents = document({
  sessionId: text,
  path: described(text, "The session that was exported. An absolute path."),
  output: described(text, "The file that was written. An absolute path."),
  format: oneOf("md", "text", "jsonl", "json", "atif", "sts", "otel", "html"),
  bytes,
  entries: count,
  redacted: described(list(object({ kind: text, count })), "What was taken out, most of it first."),
  leftOut: described(count, "Lines that cannot be read, and were left out."),
  artifactsLeft: described(list(text), "Names of files that are kept with the session, and are not in the export."),
  diagnostics: described(
    list(diagnostic),
    "With --inline-images, or --images files: blobs that are missing or damaged.",
  ),
})
