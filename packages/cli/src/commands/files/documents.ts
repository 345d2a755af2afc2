import {
  count,
  described,
  document,
  either,
  flag,
  foundSession,
  list,
  object,
  optional,
  part,
  positive,
  program,
  text,
  time,
} from "../../define/document.js"

const use = {
  entryId: text,
  time,
  path: described(text, "As it was given."),
  isChange: described(flag, "Whether the file was changed, not only read."),
  part: optional(described(part, "The part of the session that used it.")),
}

const fileUse = {
  session: object(foundSession),
  store: optional(program),
  ...use,
  uses: described(list(object(use)), "All uses, the newest first."),
}

const unknownCalls = object({
  calls: count,
  tools: list(text),
  isMore: described(flag, "Whether there are more calls than were counted."),
})

/** What `treelog files --json` prints. */
export const documents = described(
  either(
    document(fileUse),
    document({
      cannotTell: described(
        unknownCalls,
        "Calls that name the file, of tools of which nobody can say what they do to it.",
      ),
    }),
    document({ more: described(object({ sessions: positive }), "Sessions beyond the limit.") }),
  ),
  "A document a line: each session that read or changed the file, by its newest use, the newest first; then the calls of which this is not known, and how many sessions the limit left out, if there are any.",
)
