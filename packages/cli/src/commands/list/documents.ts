import {
  described,
  document,
  list,
  live,
  object,
  oneOf,
  optional,
  path,
  program,
  sessionInfo,
  text,
} from "../../define/document.js"

/** What `treelog list --json` prints. */
export const documents = described(
  document({
    path,
    ...sessionInfo,
    kind: optional(
      described(
        oneOf("sdk", "subtask", "empty", "archived"),
        "What `@last` passes over: no person had it, it works for its parent, or nobody said anything; or its program has archived it.",
      ),
    ),
    agent: optional(
      described(
        text,
        "The agent that made it, by its header, or else the program whose store it is in; missing where neither says one.",
      ),
    ),
    person: optional(described(text, "The person who bundled it, by its header; missing where that names none.")),
    copies: optional(
      described(list(object({ store: text, path: text })), "Older copies of the same session, in other stores."),
    ),
    store: optional(program),
    live: optional(live),
  }),
  "One a line, as they are found; with --limit, newest first.",
)
