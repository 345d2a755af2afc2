import * as d from "../../define/document.js"

const ofStore = d.document("One a line for each program and agent.", {
  store: d.described("As `--store` takes it.", d.text),
  sessions: d.described("Where its sessions are, or would be; empty where nobody knows.", d.text),
  isFound: d.flag,
  error: d.optional(d.describedError),
  total: d.optional(d.count),
  readable: d.optional(d.count),
  noSessions: d.optional(
    "Files of an agent that were never sessions; absent where there is none. They are not among `total`.",
    d.count,
  ),
  indexFault: d.optional("Why the index cannot be used.", d.text),
  uncountedKinds: d.optional(
    "Kinds of records in its newest 20 sessions that have tokens, of sessions in which no usage is found.",
    d.list(d.text),
  ),
  unread: d.optional(
    "What is there of its sessions and not read.",
    d.list(d.object({ path: d.described("A file, or the folder of several.", d.text), why: d.text })),
  ),
  listed: d.optional(
    d.orNull(d.described("Sessions that the agent's own list shows; null where nobody knows its rules.", d.count)),
  ),
  hidden: d.optional(
    d.list(
      d.object({
        id: d.text,
        path: d.text,
        reason: d.described(
          "`folder-gone`, `worktree-gone`, `repository-gone`, `other-folder`, `entrypoint`, `provider`, `no-prompt`, `archived`, `child`, `continued`, `duplicate`, `version` or `damaged`.",
          d.text,
        ),
        detail: d.optional("The value that hides it.", d.text),
        repository: d.optional("Of a removed worktree: the folder of its repository.", d.text),
        canUnhide: d.described("Whether `doctor --unhide` makes the agent list it.", d.flag),
      }),
    ),
  ),
  deletion: d.optional(
    d.object({
      afterDays: d.orNull(
        d.described("After the last change of a session; null where the agent deletes none.", d.count),
      ),
      setting: d.optional("Where that is set, or can be.", d.text),
      isDefault: d.optional(d.flag),
      due: d.described("Sessions that are old enough.", d.count),
      next: d.optional("When the next one is.", d.text),
    }),
  ),
  indexed: d.optional(d.orNull(d.described("Sessions and their parts in the index; null without SQLite.", d.count))),
  version: d.optional("Of the agent that wrote the newest session.", d.text),
  unknownKinds: d.optional(
    "Kinds of records in its newest 20 sessions that treelog does not know; they are kept.",
    d.list(d.text),
  ),
})

export const documents = d.either(
  ofStore,
  d.document("With `--unhide`.", {
    id: d.text,
    path: d.described("Where it was.", d.text),
    changes: d.list("For people.", d.text),
  }),
  d.document("With `--undo`.", {
    undone: d.described("The command.", d.text),
    problems: d.list("What could not be undone, for people.", d.text),
  }),
)
