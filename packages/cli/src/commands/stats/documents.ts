import * as d from "../../define/document.js"

const counted = {
  messages: d.count,
  roles: d.described(d.mapOf(d.count), "Messages by role."),
  entries: d.count,
  models: d.described(d.mapOf(d.object(d.amounts)), "By provider/model; `unknown` where none is named."),
  total: d.object(d.amounts),
  parts: d.described(d.partAmounts, "What of the total the parts of the session used, by their role."),
  prices: d.described(d.text, "When the list prices were listed."),
  readFiles: d.list(d.text),
  modifiedFiles: d.list(d.text),
  unknownTools: d.described(d.list(d.text), "Such as shells: nobody can say which files their calls read or modified."),
  from: d.optional(d.iso),
  to: d.optional(d.iso),
  disk: d.object({ session: d.bytes, artifacts: d.bytes, blobs: d.bytes }),
  blobs: d.object({ folders: d.list(d.path), count: d.count, missing: d.count }),
}

const disk = {
  sessions: d.tally,
  artifacts: d.bytes,
  beside: d.described(d.bytes, "Bytes of backups and the like."),
  trash: d.tally,
  blobs: d.object({ folder: d.path, count: d.count, bytes: d.bytes }),
  besideBlobs: d.described(d.bytes, "Bytes of what blobs gc took away, and the like."),
  history: d.bytes,
  total: d.bytes,
}

const storeDisk = d.document({
  projects: d.described(
    d.list(d.object({ cwd: d.text, sessions: d.count, session: d.bytes, artifacts: d.bytes })),
    "The largest first; cwd is empty for what cannot be read.",
  ),
  ...disk,
  stores: d.optional(
    d.described(
      d.list(d.object({ store: d.described(d.text, "As `--store` takes it."), ...disk })),
      "Where there are several stores: each of them, the largest first.",
    ),
  ),
  unreadable: d.list(d.object(d.failure)),
})

const usageRow = d.object({
  store: d.optional(d.program),
  key: d.optional(
    d.described(d.text, "The hour, day, week, month, folder, model or agent; empty for entries without a time."),
  ),
  session: d.optional(d.object({ path: d.path, id: d.text, cwd: d.text, name: d.text })),
  ...d.amounts,
})

/** `stats` without a session, or with --by, --since or --until. */
const usage = d.document({
  by: d.optional(d.oneOf("hour", "day", "week", "month", "project", "model", "agent", "person", "session")),
  rows: d.optional(d.described(d.list(usageRow), "With --by, or of one session.")),
  sums: d.optional(
    d.described(
      d.object({
        day: d.list(usageRow),
        model: d.list(usageRow),
        project: d.list(usageRow),
        session: d.list(usageRow),
      }),
      "Otherwise.",
    ),
  ),
  total: d.object(d.amounts),
  parts: d.described(d.partAmounts, "What of the total the parts of sessions used, by their role."),
  since: d.optional(d.text),
  until: d.optional(d.text),
  prices: d.described(d.text, "When the list prices were listed."),
  unreadable: d.list(d.object({ path: d.path, error: d.describedError })),
  notSessions: d.described(d.count, "Files in the stores that are empty, or of other programs."),
})

const contextUse = d.document({
  ...d.session,
  by: d.literal("tool"),
  rows: d.list(
    d.object({
      part: d.oneOf("system", "prompts", "replies", "thinking", "calls", "results", "summaries", "other"),
      tool: d.optional(d.text),
      count: d.count,
      tokens: d.described(
        d.count,
        "Estimated tokens in the context; of these, `repeated` are of files that were read before.",
      ),
      repeated: d.count,
      freed: d.described(d.count, "Estimated tokens of the branch that the context leaves out."),
    }),
  ),
  total: d.object({ tokens: d.count, freed: d.count }),
})

/** What `treelog stats --json` prints. */
export const documents = d.either(
  d.described(d.document({ sessionId: d.text, path: d.path, ...counted }), "Of one session."),
  d.described(storeDisk, "With --disk and no session."),
  d.described(usage, "Without a session, or with --by, --since or --until."),
  d.described(contextUse, "With --by tool."),
)
