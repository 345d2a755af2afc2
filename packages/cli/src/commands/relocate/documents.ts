import { described, document, either, failed, flag, list, path, text } from "../../define/document.js"

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
  described(
    document({
      undone: described(text, "The command."),
      problems: described(list(text), "What could not be undone, for people."),
    }),
    "With `--undo`.",
  ),
)
