import { described, document, either, failure, literal, ofAgent, path, verification } from "../../define/document.js"

/** What `treelog verify --json` prints. */
export const documents = either(
  described(document(verification), "What was found."),
  described(document({ ...failure, ...ofAgent, ok: literal(false) }), "What could not be read."),
  described(document({ orphan: path, removed: literal(true) }), "With --fix-orphans: what a killed command had left."),
)
