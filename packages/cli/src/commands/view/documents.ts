import { described, document, either, list, object, path, text } from "../../define/document.js"

const url = described(text, "With the token that lets one in.")

/** What `treelog view --json` prints. */
export const documents = either(
  described(document({ sessionId: text, path, url }), "With a session, once the page can be had."),
  described(
    document({ stores: list(object({ name: text, address: text })), url }),
    "Without one: the page of all sessions of these stores.",
  ),
)
