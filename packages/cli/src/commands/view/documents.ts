import { described, document, either, list, object, path, text } from "../../define/document.js"

const url = described("With the token that lets one in.", text)

export const documents = either(
  document("With a session, once the page can be had.", { sessionId: text, path, url }),
  document("Without one: the page of all sessions of these stores.", {
    stores: list(object({ name: text, address: text })),
    url,
  }),
)
