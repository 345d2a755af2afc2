import { described, document, either, entry, live, path, text } from "../../define/document.js"

/** What `treelog watch --json` prints. */
export const documents = either(
  described(document({ entry, description: text }), "One for each entry."),
  described(
    document({ path, id: text, cwd: text, agent: text, live }),
    "With --live: one for each change of what a session does.",
  ),
)
