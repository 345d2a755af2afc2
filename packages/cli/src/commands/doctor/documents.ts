import * as d from "../../define/document.js"

const ofStore = d.described(
  d.document({
    store: d.described(d.text, "As `--store` takes it."),
    sessions: d.described(d.text, "Where its sessions are, or would be; empty where nobody knows."),
    isFound: d.flag,
    error: d.optional(d.describedError),
    total: d.optional(d.count),
    readable: d.optional(d.count),
    noSessions: d.optional(
      d.described(
        d.count,
        "Files of an agent that were never sessions; absent where there is none. They are not among `total`.",
      ),
    ),
    indexFault: d.optional(d.described(d.text, "Why the index cannot be used.")),
    uncountedKinds: d.optional(
      d.described(
        d.list(d.text),
        "Kinds of records in its newest 20 sessions that have tokens, of sessions in which no usage is found.",
      ),
    ),
    unread: d.optional(
      d.described(
        d.list(d.object({ path: d.described(d.text, "A file, or the folder of several."), why: d.text })),
        "What is there of its sessions and not read.",
      ),
    ),
    listed: d.optional(
      d.orNull(d.described(d.count, "Sessions that the agent's own list shows; null where nobody knows its rules.")),
    ),
    hidden: d.optional(
      d.list(
        d.object({
          id: d.text,
          path: d.text,
          reason: d.described(
            d.text,
            "`folder-gone`, `worktree-gone`, `repository-gone`, `other-folder`, `entrypoint`, `provider`, `no-prompt`, `archived`, `child`, `continued`, `duplicate`, `version` or `damaged`.",
          ),
          detail: d.optional(d.described(d.text, "The value that hides it.")),
          repository: d.optional(d.described(d.text, "Of a removed worktree: the folder of its repository.")),
          canUnhide: d.described(d.flag, "Whether `doctor --unhide` makes the agent list it."),
        }),
      ),
    ),
    deletion: d.optional(
      d.object({
        afterDays: d.orNull(
          d.described(d.count, "After the last change of a session; null where the agent deletes none."),
        ),
        setting: d.optional(d.described(d.text, "Where that is set, or can be.")),
        isDefault: d.optional(d.flag),
        due: d.described(d.count, "Sessions that are old enough."),
        next: d.optional(d.described(d.text, "When the next one is.")),
      }),
    ),
    indexed: d.optional(d.orNull(d.described(d.count, "Sessions and their parts in the index; null without SQLite."))),
    version: d.optional(d.described(d.text, "Of the agent that wrote the newest session.")),
    unknownKinds: d.optional(
      d.described(
        d.list(d.text),
        "Kinds of records in its newest 20 sessions that treelog does not know; they are kept.",
      ),
    ),
  }),
  "One a line for each program and agent.",
)

/** What `treelog doctor --json` prints. */
export const documents = d.either(
  ofStore,
  d.described(
    d.document({
      id: d.text,
      path: d.described(d.text, "Where it was."),
      changes: d.described(d.list(d.text), "For people."),
    }),
    "With `--unhide`.",
  ),
  d.described(
    d.document({
      undone: d.described(d.text, "The command."),
      problems: d.described(d.list(d.text), "What could not be undone, for people."),
    }),
    "With `--undo`.",
  ),
)
