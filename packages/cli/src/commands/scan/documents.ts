import { count, described, document, either, failure, ofAgent, optional, path, text } from "../../define/document.js"

/** What `treelog scan --json` prints. */
export const documents = either(
  described(
    document({
      path,
      line: described(count, "From 1."),
      entryId: optional(described(text, "Absent in the header, and where the line cannot be read.")),
      kind: described(text, "What it looks like: `GitHub token`."),
      place: optional(described(text, "Where in the entry: `message.content[0].text`.")),
    }),
    "One a line for each secret. The secret itself is never printed.",
  ),
  described(document({ ...failure, ...ofAgent }), "What could not be read."),
)
