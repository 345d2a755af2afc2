import { document, either, leafId, orNull, path, session, text } from "../../define/document.js"

export const documents = either(
  document("Without a name.", { sessionId: text, path, name: orNull(text) }),
  document("With a name, or --clear.", { ...session, entryId: text, name: orNull(text), leafId }),
)
