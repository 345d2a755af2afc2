import * as z from "zod/mini"
import {
  bytes,
  count,
  described,
  diagnostic,
  document,
  failure,
  leafId,
  optional,
  orNull,
  path,
  text,
} from "./parts.js"

// What the commands print that bring sessions to others and back.

export const exported = document({
  sessionId: text,
  path: described(text, "The session that was exported. An absolute path."),
  output: described(text, "The file that was written. An absolute path."),
  format: z.enum(["md", "text", "jsonl", "json"]),
  bytes: bytes(),
  entries: count,
  redacted: described(z.array(z.object({ kind: text, count })), "What was taken out, most of it first."),
  leftOut: described(count, "Lines that cannot be read, and were left out."),
  artifactsLeft: described(z.array(text), "Names of files that are kept with the session, and are not in the export."),
  diagnostics: described(z.array(diagnostic), "With --inline-images: blobs that are missing or damaged."),
})

const importedFile = document({
  sessionId: text,
  path: path(),
  cwd: path(),
  leafId: leafId(),
  formerId: described(orNull(text), "The id that it had, where it got a new one."),
  status: z.enum(["created", "appended", "branched", "unchanged"]),
  added: described(count, "Entries that were added to a session that was there."),
  rewritten: described(count, "How many of them are stored with another content, too."),
  artifacts: described(count, "Files that were stored with the session, such as transcripts of sub-agents."),
  artifactsLeft: described(z.array(text), "Names of files that were not."),
  copied: described(z.array(text), "Hashes of blobs that were copied."),
  missing: described(z.array(text), "Hashes of blobs that nobody has."),
})

const lineCounts = z.record(
  text,
  z.object({
    converted: described(count, "Lines that are in an entry of the conversation, or in its metadata."),
    kept: described(count, "Lines that are kept as they are, in a custom entry."),
    skipped: described(count, "Lines that are in no entry."),
    reason: optional(described(text, "Why lines of this kind are skipped.")),
  }),
)

const conversion = {
  from: path(),
  dryRun: z.boolean(),
  lines: described(count, "Lines of the source."),
  kinds: described(lineCounts, "What became of the lines, by kind."),
  unknownKinds: described(z.array(text), "Kinds that this release does not know; their lines are kept."),
  diagnostics: described(
    z.array(diagnostic),
    "Links that were repaired, lines that cannot be read: places in the source.",
  ),
}

export const imported = z.union([
  importedFile,
  described(
    document({
      ...conversion,
      sessionId: text,
      path: path(),
      status: z.enum(["created", "appended", "branched", "unchanged"]),
      added: described(count, "Entries that were added to a session that was imported before."),
      rewritten: described(count, "How many of them are stored with another content too."),
      formerId: orNull(text),
      copied: z.array(text),
      missing: z.array(text),
      artifacts: described(count, "Files that were stored with the session: its source, transcripts of sub-agents."),
      artifactsLeft: described(z.array(text), "Names of files that were not."),
    }),
    "With --from: a session.",
  ),
  described(document(failure), "With --from: what could not be imported."),
])

export const copied = z.union([
  document({
    path: described(text, "Its key in the source: of files, an absolute path."),
    to: described(text, "Its key in the target."),
    status: z.enum(["created", "appended", "branched", "unchanged"]),
    size: described(bytes(), "Bytes of the source."),
    written: described(bytes(), "Bytes that were stored, or would be."),
    id: described(text, "Its id in the target."),
    formerId: described(
      orNull(text),
      "The id that it has in the source, where that is the id of another session in the target.",
    ),
    added: described(count, "Entries that were added to a session that was there."),
    rewritten: described(count, "How many of them are stored with another content, too."),
    artifactsAdded: described(count, "Files that were stored with it, such as transcripts of sub-agents."),
    missingBlobs: described(z.array(text), "Hashes of blobs that the source does not have."),
    artifactsLeft: described(
      z.array(text),
      "Names of files that were not: links, and those of which the target has others.",
    ),
    dryRun: z.boolean(),
  }),
  described(document(failure), "What could not be copied."),
])

export const bundled = z.union([
  document({
    path: path(),
    size: described(bytes(), "Bytes of the session in the bundle."),
    artifacts: described(count, "Files that are bundled with it."),
    secrets: described(count, "Secrets that were found; with --redact, that were redacted."),
    unscanned: described(count, "Files that are too large to be scanned for secrets; --redact leaves them out."),
    leftOut: described(
      z.array(text),
      "Names of artifacts and blobs that the bundle lacks: links; with --redact, what cannot be scanned.",
    ),
    leftOutLines: described(count, "With --redact, lines that it lacks, since they cannot be scanned."),
    missingBlobs: described(z.array(text), "Hashes of blobs that are missing or damaged."),
  }),
  described(document(failure), "What could not be read, and is not in the bundle."),
])

export const unbundled = z.union([
  document({
    path: described(text, "Its name in the bundle."),
    to: described(text, "Its key in the store."),
    status: z.enum(["created", "appended", "branched", "unchanged"]),
    size: described(bytes(), "Bytes that the session has by the bundle."),
    written: described(bytes(), "Bytes that were stored, or would be."),
    id: described(text, "Its id in the target."),
    formerId: described(
      orNull(text),
      "The id that it has in the source, where that is the id of another session in the target.",
    ),
    added: described(count, "Entries that were added to a session that was there."),
    rewritten: described(count, "How many of them are stored with another content, too."),
    artifactsAdded: described(count, "Files that were stored with it, such as transcripts of sub-agents."),
    missingBlobs: described(z.array(text), "Hashes of blobs that the bundle does not have."),
    artifactsLeft: described(
      z.array(text),
      "Names of files that were not: links, and those of which the store has others.",
    ),
    dryRun: z.boolean(),
  }),
  described(document(failure), "What could not be stored."),
])

export const scan = z.union([
  described(
    document({
      path: path(),
      line: described(count, "From 1."),
      entryId: optional(described(text, "Absent in the header, and where the line cannot be read.")),
      kind: described(text, "What it looks like: `GitHub token`."),
      place: optional(described(text, "Where in the entry: `message.content[0].text`.")),
    }),
    "One a line for each secret. The secret itself is never printed.",
  ),
  described(document(failure), "What could not be read."),
])
