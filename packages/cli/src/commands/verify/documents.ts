import { document, either, failure, literal, ofAgent, path, verification } from "../../define/document.js"

export const documents = either(
  document("What was found.", verification),
  document("What could not be read.", { ...failure, ...ofAgent, ok: literal(false) }),
  document("With --fix-orphans: what a killed command had left.", { orphan: path, removed: literal(true) }),
)
