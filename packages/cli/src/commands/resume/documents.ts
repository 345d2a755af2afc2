import { document, optional, path, text } from "../../define/document.js"

export const documents = document("The session that was chosen; with --query and no terminal, one a line.", {
  path,
  id: text,
  cwd: text,
  name: optional(text),
})
