import { anything, described, document, object, optional, text } from "../define/document.js"

/** What any command prints on stderr with `--json`: what it fails for, and what is wrong and ends nothing. */
export const documents = {
  error: document({
    error: object({
      code: described(text, "As docs/ERRORS.md and the README of the command have them."),
      message: text,
      data: described(anything, "By code."),
      stack: optional(described(text, "With --debug.")),
    }),
  }),
  warning: document({
    warning: object({
      code: described(text, "As docs/ERRORS.md has them."),
      message: text,
      data: described(anything, "By code."),
    }),
  }),
}
