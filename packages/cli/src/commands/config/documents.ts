import { described, document, list, optional, path, text } from "../../define/document.js"

const config = document({
  file: path,
  store: optional(described(text, "What --store would take.")),
  prices: optional(described(text, "The file of your own price list. An absolute path.")),
  agents: optional(described(list(text), "The files that define further agents. Absolute paths.")),
})

/** What the commands of `treelog config` print with `--json`. */
export const documents = {
  get: config,
  set: config,
  unset: config,
}
