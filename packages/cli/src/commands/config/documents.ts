import { document, list, optional, path, text } from "../../define/document.js"

const config = document({
  file: path,
  store: optional("What --store would take.", text),
  prices: optional("The file of your own price list. An absolute path.", text),
  agents: optional("The files that define further agents. Absolute paths.", list(text)),
})

export const documents = {
  get: config,
  set: config,
  unset: config,
}
