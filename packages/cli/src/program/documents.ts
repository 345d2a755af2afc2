import { anything, described, document, object, optional, text } from "../define/document.js"

/** What any command prints on stderr with `--json`: what it fails for, and what is wrong and ends nothing. */
export const documents = {
  error: document({
    error: object({
      code: described("As docs/ERRORS.md and the README of the command have them.", text),
      message: text,
      data: described("By code.", anything),
      stack: optional("With --debug.", text),
    }),
  }),
  warning: document({
    warning: object({
      code: described("As docs/ERRORS.md has them.", text),
      message: text,
      data: described("By code.", anything),
    }),
  }),
}
