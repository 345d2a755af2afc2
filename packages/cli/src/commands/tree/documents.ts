import * as d from "../../define/document.js"

const treeView = d.document({
  ...d.session,
  filter: d.text,
  nodes: d.described(
    d.list(
      d.object({
        id: d.text,
        parentId: d.described(d.orNull(d.text), "The nearest entry above that is shown."),
        type: d.text,
        timestamp: d.iso,
        who: d.text,
        text: d.text,
        label: d.optional(d.text),
        cost: d.optional(d.cost),
        active: d.flag,
        leaf: d.flag,
      }),
    ),
    "Flat, in the order in which they are drawn.",
  ),
})

const arrival = d.document({
  ...d.session,
  entryId: d.described(d.orNull(d.text), "The entry that was written, if one was."),
  targetId: d.described(d.orNull(d.text), "Where the session stands now; null is before everything."),
  selectedId: d.described(d.orNull(d.text), "The entry that was chosen."),
  editorText: d.optional(d.described(d.text, "What may be said differently.")),
  summarized: d.optional(d.flag),
  diagnostics: d.optional(d.described(d.list(d.diagnostic), "With --summarizer: long texts that it saw cut.")),
})

/** What `treelog tree --json` prints. */
export const documents = d.either(
  d.described(treeView, "What is drawn."),
  d.described(arrival, "With --select or --interactive."),
)
