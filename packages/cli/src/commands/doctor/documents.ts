import {
  count,
  described,
  describedError,
  document,
  either,
  flag,
  list,
  object,
  optional,
  orNull,
  text,
} from "../../define/document.js"

const ofStore = described(
  document({
    store: described(text, "As `--store` takes it."),
    sessions: described(text, "Where its sessions are, or would be; empty where nobody knows."),
    isFound: flag,
    error: optional(describedError),
    total: optional(count),
    readable: optional(count),
    noSessions: optional(
      described(
        count,
        "Files of an agent that were never sessions; absent where there is none. They are not among `total`.",
      ),
    ),
    indexFault: optional(described(text, "Why the index cannot be used.")),
    uncountedKinds: optional(
      described(
        list(text),
        "Kinds of records in its newest 20 sessions that have tokens, of sessions in which no usage is found.",
      ),
    ),
    unread: optional(
      described(
        list(object({ path: described(text, "A file, or the folder of several."), why: text })),
        "What is there of its sessions and not read.",
      ),
    ),
    listed: optional(
      orNull(described(count, "Sessions that the agent's own list shows; null where nobody knows its rules.")),
    ),
    hidden: optional(
      list(
        object({
          id: text,
          path: text,
          reason: described(
            text,
            "`folder-gone`, `worktree-gone`, `other-folder`, `entrypoint`, `provider`, `no-prompt`, `archived`, `child`, `continued`, `duplicate`, `version` or `damaged`.",
          ),
          detail: optional(described(text, "The value that hides it.")),
          repository: optional(described(text, "Of a removed worktree: the folder of its repository.")),
          canUnhide: described(flag, "Whether `doctor --unhide` makes the agent list it."),
        }),
      ),
    ),
    deletion: optional(
      object({
        afterDays: orNull(described(count, "After the last change of a session; null where the agent deletes none.")),
        setting: optional(described(text, "Where that is set, or can be.")),
        isDefault: optional(flag),
        due: described(count, "Sessions that are old enough."),
        next: optional(described(text, "When the next one is.")),
      }),
    ),
    indexed: optional(orNull(described(count, "Sessions and their parts in the index; null without SQLite."))),
    version: optional(described(text, "Of the agent that wrote the newest session.")),
    unknownKinds: optional(
      described(list(text), "Kinds of records in its newest 20 sessions that treelog does not know; they are kept."),
    ),
  }),
  "One a line for each program and agent.",
)

/** What `treelog doctor --json` prints. */
export const documents = either(
  ofStore,
  described(
    document({ id: text, path: described(text, "Where it was."), changes: described(list(text), "For people.") }),
    "With `--unhide`.",
  ),
  described(
    document({
      undone: described(text, "The command."),
      problems: described(list(text), "What could not be undone, for people."),
    }),
    "With `--undo`.",
  ),
)
