import { bytes, count, described, document, either, failure, list, ofAgent, path, text } from "../../define/document.js"

export const documents = either(
  document({
    path,
    size: described("Bytes of the session in the bundle.", bytes),
    artifacts: described("Files that are bundled with it.", count),
    secrets: described("Secrets that were found; with --redact, that were redacted.", count),
    unscanned: described("Files that are too large to be scanned for secrets; --redact leaves them out.", count),
    leftOut: list(
      "Names of artifacts and blobs that the bundle lacks: links; with --redact, what cannot be scanned.",
      text,
    ),
    leftOutLines: described("With --redact, lines that it lacks, since they cannot be scanned.", count),
    missingBlobs: list("Hashes of blobs that are missing or damaged.", text),
  }),
  document("What could not be read, and is not in the bundle.", { ...failure, ...ofAgent }),
)
