import { document, either, entry, live, path, text } from "../../define/document.js"

export const documents = either(
  document("One for each entry.", { entry, description: text }),
  document("With --live: one for each change of what a session does.", {
    path,
    id: text,
    cwd: text,
    agent: text,
    live,
  }),
)
