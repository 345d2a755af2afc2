import * as z from "zod/mini"
import { bytes, count, diagnostic, document, failure, leafId, optional, orNull, path, text, told } from "./parts.js"

// What the commands print that bring sessions to others and back.

export const exported = document({
  sessionId: text,
  path: told(text, "The session that was exported. An absolute path."),
  output: told(text, "The file that was written. An absolute path."),
  format: z.enum(["md", "text", "jsonl", "json"]),
  bytes: bytes(),
  entries: count,
  redacted: told(z.array(z.object({ kind: text, count })), "What was taken out, most of it first."),
  leftOut: told(count, "Lines that cannot be read, and were left out."),
  diagnostics: told(z.array(diagnostic), "With --inline-images: blobs that are missing or damaged."),
})

export const imported = document({
  sessionId: text,
  path: path(),
  cwd: path(),
  leafId: leafId(),
  formerId: told(orNull(text), "The id that it had, where it got a new one."),
  copied: told(z.array(text), "Hashes of blobs that were copied."),
  missing: told(z.array(text), "Hashes of blobs that nobody has."),
})

export const scan = z.union([
  told(
    document({
      path: path(),
      line: told(count, "From 1."),
      entryId: optional(told(text, "Absent in the header, and where the line cannot be read.")),
      kind: told(text, "What it looks like: `GitHub token`."),
      place: optional(told(text, "Where in the entry: `message.content[0].text`.")),
    }),
    "One a line for each secret. The secret itself is never printed.",
  ),
  told(document(failure), "What could not be looked at."),
])
