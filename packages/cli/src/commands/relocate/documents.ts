import { described, document, either, failed, flag, list, path, text } from "../../define/document.js"

export const documents = either(
  document({
    path: described("Where it was.", path),
    id: text,
    from: described("The folder in its header until now.", text),
    to: described("The folder in its header from now on.", text),
    newPath: path,
    dryRun: flag,
  }),
  failed,
  document("With `--undo`.", {
    undone: described("The command.", text),
    problems: list("What could not be undone, for people.", text),
  }),
)
