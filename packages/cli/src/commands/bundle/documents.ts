import { bytes, count, described, document, either, failure, list, ofAgent, path, text } from "../../define/document.js"

/** What `treelog bundle --json` prints. */
export const documents = either(
  document({
    path,
    size: described(bytes, "Bytes of the session in the bundle."),
    artifacts: described(count, "Files that are bundled with it."),
    secrets: described(count, "Secrets that were found; with --redact, that were redacted."),
    unscanned: described(count, "Files that are too large to be scanned for secrets; --redact leaves them out."),
    leftOut: described(
      list(text),
      "Names of artifacts and blobs that the bundle lacks: links; with --redact, what cannot be scanned.",
    ),
    leftOutLines: described(count, "With --redact, lines that it lacks, since they cannot be scanned."),
    missingBlobs: described(list(text), "Hashes of blobs that are missing or damaged."),
  }),
  described(document({ ...failure, ...ofAgent }), "What could not be read, and is not in the bundle."),
)
