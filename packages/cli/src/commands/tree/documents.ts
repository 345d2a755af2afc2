import {
  cost,
  described,
  diagnostic,
  document,
  either,
  flag,
  iso,
  list,
  object,
  optional,
  orNull,
  session,
  text,
} from "../../define/document.js"

const treeView = document({
  ...session,
  filter: text,
  nodes: described(
    list(
      object({
        id: text,
        parentId: described(orNull(text), "The nearest entry above that is shown."),
        type: text,
        timestamp: iso,
        who: text,
        text,
        label: optional(text),
        cost: optional(cost),
        active: flag,
        leaf: flag,
      }),
    ),
    "Flat, in the order in which they are drawn.",
  ),
})

const arrival = document({
  ...session,
  entryId: described(orNull(text), "The entry that was written, if one was."),
  targetId: described(orNull(text), "Where the session stands now; null is before everything."),
  selectedId: described(orNull(text), "The entry that was chosen."),
  editorText: optional(described(text, "What may be said differently.")),
  summarized: optional(flag),
  diagnostics: optional(described(list(diagnostic), "With --summarizer: long texts that it saw cut.")),
})

/** What `treelog tree --json` prints. */
export const documents = either(
  described(treeView, "What is drawn."),
  described(arrival, "With --select or --interactive."),
)
