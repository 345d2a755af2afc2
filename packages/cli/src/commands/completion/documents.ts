import { described, document, either, list, object, oneOf, optional, text } from "../../define/document.js"

const shell = oneOf("bash", "zsh", "fish")

export const documents = either(
  document("What the shell has to run.", { shell, script: text }),
  document("With a command line.", {
    shell,
    kind: described(
      "What the last word may become; files and folders the shell knows.",
      oneOf("words", "files", "folders"),
    ),
    candidates: list(object({ value: text, description: optional(text) })),
  }),
)
