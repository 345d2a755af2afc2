import { described, document, either, list, object, oneOf, optional, text } from "../../define/document.js"

const shell = oneOf("bash", "zsh", "fish")

/** What `treelog completion --json` prints. */
export const documents = either(
  described(document({ shell, script: text }), "What the shell has to run."),
  described(
    document({
      shell,
      kind: described(
        oneOf("words", "files", "folders"),
        "What the last word may become; files and folders the shell knows.",
      ),
      candidates: list(object({ value: text, description: optional(text) })),
    }),
    "With a command line.",
  ),
)
