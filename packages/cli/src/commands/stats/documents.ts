import * as d from "../../define/document.js"

const counted = {
  messages: d.count,
  roles: d.described("Messages by role.", d.mapOf(d.count)),
  entries: d.count,
  models: d.described("By provider/model; `unknown` where none is named.", d.mapOf(d.object(d.amounts))),
  total: d.object(d.amounts),
  parts: d.described("What of the total the parts of the session used, by their role.", d.partAmounts),
  prices: d.described("When the list prices were listed.", d.text),
  readFiles: d.list(d.text),
  modifiedFiles: d.list(d.text),
  unknownTools: d.list("Such as shells: nobody can say which files their calls read or modified.", d.text),
  from: d.optional(d.iso),
  to: d.optional(d.iso),
  disk: d.object({ session: d.bytes, artifacts: d.bytes, blobs: d.bytes }),
  blobs: d.object({ folders: d.list(d.path), count: d.count, missing: d.count }),
}

const disk = {
  sessions: d.tally,
  artifacts: d.bytes,
  beside: d.described("Bytes of backups and the like.", d.bytes),
  trash: d.tally,
  blobs: d.object({ folder: d.path, count: d.count, bytes: d.bytes }),
  besideBlobs: d.described("Bytes of what blobs gc took away, and the like.", d.bytes),
  history: d.bytes,
  total: d.bytes,
}

const storeDisk = d.document({
  projects: d.list(
    "The largest first; cwd is empty for what cannot be read.",
    d.object({ cwd: d.text, sessions: d.count, session: d.bytes, artifacts: d.bytes }),
  ),
  ...disk,
  stores: d.optional(
    "Where there are several stores: each of them, the largest first.",
    d.list(d.object({ store: d.described("As `--store` takes it.", d.text), ...disk })),
  ),
  unreadable: d.list(d.object(d.failure)),
})

const usageRow = d.object({
  store: d.optional(d.program),
  key: d.optional("The hour, day, week, month, folder, model or agent; empty for entries without a time.", d.text),
  session: d.optional(d.object({ path: d.path, id: d.text, cwd: d.text, name: d.text })),
  ...d.amounts,
})

/** `stats` without a session, or with --by, --since or --until. */
const usage = d.document({
  by: d.optional(d.oneOf("hour", "day", "week", "month", "project", "model", "agent", "person", "session")),
  rows: d.optional("With --by, or of one session.", d.list(usageRow)),
  sums: d.optional(
    "Otherwise.",
    d.object({
      day: d.list(usageRow),
      model: d.list(usageRow),
      project: d.list(usageRow),
      session: d.list(usageRow),
    }),
  ),
  total: d.object(d.amounts),
  parts: d.described("What of the total the parts of sessions used, by their role.", d.partAmounts),
  since: d.optional(d.text),
  until: d.optional(d.text),
  prices: d.described("When the list prices were listed.", d.text),
  unreadable: d.list(d.object({ path: d.path, error: d.describedError })),
  notSessions: d.described("Files in the stores that are empty, or of other programs.", d.count),
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
        "Estimated tokens in the context; of these, `repeated` are of files that were read before.",
        d.count,
      ),
      repeated: d.count,
      freed: d.described("Estimated tokens of the branch that the context leaves out.", d.count),
    }),
  ),
  total: d.object({ tokens: d.count, freed: d.count }),
})

export const documents = d.either(
  d.document("Of one session.", { sessionId: d.text, path: d.path, ...counted }),
  d.described("With --disk and no session.", storeDisk),
  d.described("Without a session, or with --by, --since or --until.", usage),
  d.described("With --by tool.", contextUse),
)
