import { count, described, document, either, failure, ofAgent, optional, path, text } from "../../define/document.js"

export const documents = either(
  document("One a line for each secret. The secret itself is never printed.", {
    path,
    line: described("From 1.", count),
    entryId: optional("Absent in the header, and where the line cannot be read.", text),
    kind: described("What it looks like: `GitHub token`.", text),
    place: optional("Where in the entry: `message.content[0].text`.", text),
  }),
  document("What could not be read.", { ...failure, ...ofAgent }),
)
