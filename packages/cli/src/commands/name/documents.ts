import { described, document, either, leafId, orNull, path, session, text } from "../../define/document.js"

/** What `treelog name --json` prints. */
export const documents = either(
  described(document({ sessionId: text, path, name: orNull(text) }), "Without a name."),
  described(document({ ...session, entryId: text, name: orNull(text), leafId }), "With a name, or --clear."),
)
