import {
  amounts,
  bytes,
  count,
  described,
  describedError,
  document,
  either,
  failure,
  iso,
  list,
  literal,
  mapOf,
  object,
  oneOf,
  optional,
  partAmounts,
  path,
  program,
  session,
  tally,
  text,
} from "../../define/document.js"

const counted = {
  messages: count,
  roles: described(mapOf(count), "Messages by role."),
  entries: count,
  models: described(mapOf(object(amounts)), "By provider/model; `unknown` where none is named."),
  total: object(amounts),
  parts: described(partAmounts, "What of the total the parts of the session used, by their role."),
  prices: described(text, "When the list prices were listed."),
  readFiles: list(text),
  modifiedFiles: list(text),
  unknownTools: described(list(text), "Such as shells: nobody can say which files their calls read or modified."),
  from: optional(iso),
  to: optional(iso),
  disk: object({ session: bytes, artifacts: bytes, blobs: bytes }),
  blobs: object({ folders: list(path), count, missing: count }),
}

const disk = {
  sessions: tally,
  artifacts: bytes,
  beside: described(bytes, "Bytes of backups and the like."),
  trash: tally,
  blobs: object({ folder: path, count, bytes }),
  besideBlobs: described(bytes, "Bytes of what blobs gc took away, and the like."),
  history: bytes,
  total: bytes,
}

const storeDisk = document({
  projects: described(
    list(object({ cwd: text, sessions: count, session: bytes, artifacts: bytes })),
    "The largest first; cwd is empty for what cannot be read.",
  ),
  ...disk,
  stores: optional(
    described(
      list(object({ store: described(text, "As `--store` takes it."), ...disk })),
      "Where there are several stores: each of them, the largest first.",
    ),
  ),
  unreadable: list(object(failure)),
})

const usageRow = object({
  store: optional(program),
  key: optional(
    described(text, "The hour, day, week, month, folder, model or agent; empty for entries without a time."),
  ),
  session: optional(object({ path, id: text, cwd: text, name: text })),
  ...amounts,
})

/** `stats` without a session, or with --by, --since or --until. */
const usage = document({
  by: optional(oneOf("hour", "day", "week", "month", "project", "model", "agent", "person", "session")),
  rows: optional(described(list(usageRow), "With --by, or of one session.")),
  sums: optional(
    described(
      object({
        day: list(usageRow),
        model: list(usageRow),
        project: list(usageRow),
        session: list(usageRow),
      }),
      "Otherwise.",
    ),
  ),
  total: object(amounts),
  parts: described(partAmounts, "What of the total the parts of sessions used, by their role."),
  since: optional(text),
  until: optional(text),
  prices: described(text, "When the list prices were listed."),
  unreadable: list(object({ path, error: describedError })),
  notSessions: described(count, "Files in the stores that are empty, or of other programs."),
})

const contextUse = document({
  ...session,
  by: literal("tool"),
  rows: list(
    object({
      part: oneOf("system", "prompts", "replies", "thinking", "calls", "results", "summaries", "other"),
      tool: optional(text),
      count,
      tokens: described(
        count,
        "Estimated tokens in the context; of these, `repeated` are of files that were read before.",
      ),
      repeated: count,
      freed: described(count, "Estimated tokens of the branch that the context leaves out."),
    }),
  ),
  total: object({ tokens: count, freed: count }),
})

/** What `treelog stats --json` prints. */
export const documents = either(
  described(document({ sessionId: text, path, ...counted }), "Of one session."),
  described(storeDisk, "With --disk and no session."),
  described(usage, "Without a session, or with --by, --since or --until."),
  described(contextUse, "With --by tool."),
)
