import * as d from "../../define/document.js"

export const documents = d.document({
  ...d.session,
  agent: d.optional("The agent that made it, by its header; missing where that names none.", d.text),
  person: d.optional("The person who bundled it, by its header; missing where that names none.", d.text),
  cost: d.optional(d.cost),
  items: d.list(
    d.object({
      entry: d.entry,
      description: d.text,
      inContext: d.flag,
      edited: d.optional(d.oneOf("omitted", "replaced")),
    }),
  ),
})
