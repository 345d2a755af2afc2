import * as d from "../../define/document.js"

const use = {
  entryId: d.text,
  time: d.time,
  path: d.described(d.text, "As it was given."),
  isChange: d.described(d.flag, "Whether the file was changed, not only read."),
  part: d.optional(d.described(d.part, "The part of the session that used it.")),
}

const fileUse = {
  session: d.object(d.foundSession),
  store: d.optional(d.program),
  ...use,
  uses: d.described(d.list(d.object(use)), "All uses, the newest first."),
}

const unknownCalls = d.object({
  calls: d.count,
  tools: d.list(d.text),
  isMore: d.described(d.flag, "Whether there are more calls than were counted."),
})

/** What `treelog files --json` prints. */
export const documents = d.described(
  d.either(
    d.document(fileUse),
    d.document({
      cannotTell: d.described(
        unknownCalls,
        "Calls that name the file, of tools of which nobody can say what they do to it.",
      ),
    }),
    d.document({ more: d.described(d.object({ sessions: d.positive }), "Sessions beyond the limit.") }),
  ),
  "A document a line: each session that read or changed the file, by its newest use, the newest first; then the calls of which this is not known, and how many sessions the limit left out, if there are any.",
)
