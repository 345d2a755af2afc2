import * as d from "../../define/document.js"

const use = {
  entryId: d.text,
  time: d.time,
  path: d.described("As it was given.", d.text),
  isChange: d.described("Whether the file was changed, not only read.", d.flag),
  part: d.optional("The part of the session that used it.", d.part),
}

const fileUse = {
  session: d.object(d.foundSession),
  store: d.optional(d.program),
  ...use,
  uses: d.list("All uses, the newest first.", d.object(use)),
}

const unknownCalls = d.object({
  calls: d.count,
  tools: d.list(d.text),
  isMore: d.described("Whether there are more calls than were counted.", d.flag),
})

export const documents = d.described(
  "A document a line: each session that read or changed the file, by its newest use, the newest first; then the calls of which this is not known, and how many sessions the limit left out, if there are any.",
  d.either(
    d.document(fileUse),
    d.document({
      cannotTell: d.described(
        "Calls that name the file, of tools of which nobody can say what they do to it.",
        unknownCalls,
      ),
    }),
    d.document({ more: d.object("Sessions beyond the limit.", { sessions: d.positive }) }),
  ),
)
