import {
  cost,
  described,
  document,
  entry,
  flag,
  list,
  object,
  oneOf,
  optional,
  session,
  text,
} from "../../define/document.js"

/** What `treelog show --json` prints. */
export const documents = document({
  ...session,
  agent: optional(described(text, "The agent that made it, by its header; missing where that names none.")),
  person: optional(described(text, "The person who bundled it, by its header; missing where that names none.")),
  cost: optional(cost),
  items: list(
    object({
      entry,
      description: text,
      inContext: flag,
      edited: optional(oneOf("omitted", "replaced")),
    }),
  ),
})
