import * as d from "../../define/document.js"

const treeView = d.document({
  ...d.session,
  filter: d.text,
  nodes: d.list(
    "Flat, in the order in which they are drawn.",
    d.object({
      id: d.text,
      parentId: d.orNull("The nearest entry above that is shown.", d.text),
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
})

const arrival = d.document({
  ...d.session,
  entryId: d.orNull("The entry that was written, if one was.", d.text),
  targetId: d.orNull("Where the session stands now; null is before everything.", d.text),
  selectedId: d.orNull("The entry that was chosen.", d.text),
  editorText: d.optional("What may be said differently.", d.text),
  summarized: d.optional(d.flag),
  diagnostics: d.optional("With --summarizer: long texts that it saw cut.", d.list(d.diagnostic)),
})

export const documents = d.either(
  d.described("What is drawn.", treeView),
  d.described("With --select or --interactive.", arrival),
)
