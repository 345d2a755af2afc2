import { described, document, entry, text } from "../../define/document.js"

/** What `treelog watch --json` prints. */
export const documents = described(document({ entry, description: text }), "One for each entry.")
