import * as d from "../../define/document.js"

/** What `treelog list --json` prints. */
export const documents = d.described(
  d.document({
    path: d.path,
    ...d.sessionInfo,
    kind: d.optional(
      d.described(
        d.oneOf("sdk", "subtask", "empty", "archived"),
        "What `@last` passes over: no person had it, it works for its parent, or nobody said anything; or its program has archived it.",
      ),
    ),
    agent: d.optional(
      d.described(
        d.text,
        "The agent that made it, by its header, or else the program whose store it is in; missing where neither says one.",
      ),
    ),
    person: d.optional(d.described(d.text, "The person who bundled it, by its header; missing where that names none.")),
    copies: d.optional(
      d.described(
        d.list(d.object({ store: d.text, path: d.text })),
        "Older copies of the same session, in other stores.",
      ),
    ),
    store: d.optional(d.program),
    live: d.optional(d.live),
  }),
  "One a line, newest first, each as soon as that is known; with --group, by folder.",
)
