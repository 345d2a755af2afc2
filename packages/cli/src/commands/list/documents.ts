import * as d from "../../define/document.js"

export const documents = d.document(
  "One a line, newest first, each as soon as that is known; with --group, by folder.",
  {
    path: d.path,
    ...d.sessionInfo,
    kind: d.optional(
      "What `@last` passes over: no person had it, it works for its parent, or nobody said anything; or its program has archived it.",
      d.oneOf("sdk", "subtask", "empty", "archived"),
    ),
    agent: d.optional(
      "The agent that made it, by its header, or else the program whose store it is in; missing where neither says one.",
      d.text,
    ),
    person: d.optional("The person who bundled it, by its header; missing where that names none.", d.text),
    copies: d.optional(
      "Older copies of the same session, in other stores.",
      d.list(d.object({ store: d.text, path: d.text })),
    ),
    store: d.optional(d.program),
    live: d.optional(d.live),
  },
)
