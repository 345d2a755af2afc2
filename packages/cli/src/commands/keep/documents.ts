import { bytes, count, described, document, list, object, oneOf, optional, path, text } from "../../define/document.js"

/** What `treelog keep --json` prints, each time that it has brought the copies up to date. */
export const documents = document({
  into: described(path, "Where the copies are."),
  files: described(count, "Files of all stores, databases included."),
  changed: described(count, "Files that were new or had changed."),
  bytes: described(bytes, "Bytes that were written, without those of databases."),
  gone: described(count, "Files that are kept, and that their agents have no more."),
  failed: described(count, "Files that cannot be kept; stderr says why."),
  changes: described(
    list(
      object({
        store: text,
        change: oneOf("gone", "rewritten", "moved"),
        path,
        former: optional(described(path, "Where what it was is kept, or from where it was moved.")),
      }),
    ),
    "What happened since the last time, but for what is new or longer.",
  ),
})
