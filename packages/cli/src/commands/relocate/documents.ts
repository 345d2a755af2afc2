import { described, document, either, failed, flag, path, text } from "../../define/document.js"

/** What `treelog relocate --json` prints. */
export const documents = either(
  document({
    path: described(path, "Where it was."),
    id: text,
    from: described(text, "The folder in its header until now."),
    to: described(text, "The folder in its header from now on."),
    newPath: path,
    dryRun: flag,
  }),
  failed,
)
