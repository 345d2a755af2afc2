import * as z from "zod/mini"
import {
  amounts,
  bytes,
  cost,
  count,
  described,
  describedError,
  document,
  failure,
  optional,
  orNull,
  partAmounts,
  path,
  program,
  text,
  time,
} from "./parts.js"

// What the commands print that use the index of sessions.

const foundSession = z.object({
  path: path(),
  id: text,
  cwd: text,
  project: optional(described(text, "In a store that groups sessions by project.")),
  name: described(text, "Empty if it has none."),
})

const part = z.object({
  path: optional(described(text, "By which it is opened, where it has one.")),
  name: described(text, "Of the artifact that it is."),
  role: described(text, "Such as subagent, advisor or review."),
})

const around = z.array(z.object({ entryId: text, who: text, text }))

export const search = described(
  document({
    store: optional(program()),
    session: z.extend(foundSession, { cost: optional(cost) }),
    entryId: described(text, "Of the entry to open; for a label, of the labelled one."),
    role: z.enum(["user", "assistant", "thinking", "toolCall", "toolResult", "summary", "label", "name", "other"]),
    time: described(time(), "Milliseconds since 1970; 0 if the entry has no time."),
    model: optional(described(text, "provider/model.")),
    tool: optional(text),
    part: optional(described(part, "The part of the session that has it, such as the transcript of a sub-agent.")),
    snippet: z.object({
      text,
      matches: described(z.array(z.array(count)), "Begin and end of each match in the text, in UTF-16 units."),
      isCutBefore: z.boolean(),
      isCutAfter: z.boolean(),
    }),
    context: optional(described(z.object({ before: around, after: around }), "With --context.")),
  }),
  "One a line for each hit, newest first, or with --sort relevance the best first.",
)

const fileUse = {
  session: foundSession,
  entryId: text,
  time: time(),
  path: described(text, "As it was given."),
  isChange: described(z.boolean(), "Whether the file was changed, not only read."),
  part: optional(described(part, "The part of the session that used it.")),
}

const unknownCalls = z.object({ calls: count, tools: z.array(text) })

export const files = described(
  z.union([
    document(fileUse),
    document({
      cannotTell: described(
        unknownCalls,
        "Calls that name the file, of tools of which nobody can say what they do to it.",
      ),
    }),
  ]),
  "A document a line: each entry that read or changed the file, newest first; then the calls of which this is not known, if there are any.",
)

export const indexStatus = document({
  store: described(text, "The folder of the store, or its address without a password."),
  path: path(),
  bytes: bytes(),
  sessions: count,
  entries: described(count, "That have a text, a usage or a file."),
  texts: count,
  sqlite: described(text, "The SQLite that is used, with its version."),
})

export const doctor = described(
  document({
    store: described(text, "As `--store` takes it."),
    sessions: described(text, "Where its sessions are, or would be; empty where nobody knows."),
    isFound: z.boolean(),
    error: optional(describedError),
    total: optional(count),
    readable: optional(count),
    indexed: optional(orNull(described(count, "Sessions and their parts in the index; null without SQLite."))),
    version: optional(described(text, "Of the agent that wrote the newest session.")),
    unknownKinds: optional(
      described(z.array(text), "Kinds of records in its newest 20 sessions that treelog does not know; they are kept."),
    ),
  }),
  "One a line for each program and agent.",
)

export const indexUpdate = document({
  path: path(),
  sessions: described(count, "That are up to date."),
  read: described(count, "Sessions of which something was read."),
  removed: described(count, "Sessions that are gone."),
  bytes: described(bytes(), "Bytes that were read."),
  unreadable: z.array(z.object(failure)),
})

export const indexVerify = described(
  document({
    path: path(),
    kind: z.enum(["missing", "gone", "outdated", "different"]),
    message: text,
  }),
  "One a line for each session that differs.",
)

const usageRow = z.object({
  store: optional(program()),
  key: optional(
    described(text, "The hour, day, week, month, folder, model or agent; empty for entries without a time."),
  ),
  session: optional(z.object({ path: path(), id: text, cwd: text, name: text })),
  ...amounts,
})

/** `stats` without a session, or with --by, --since, --until or --all-stores. */
export const usage = document({
  by: optional(z.enum(["hour", "day", "week", "month", "project", "model", "agent", "session"])),
  rows: optional(described(z.array(usageRow), "With --by, or of one session.")),
  sums: optional(
    described(
      z.object({
        day: z.array(usageRow),
        model: z.array(usageRow),
        project: z.array(usageRow),
        session: z.array(usageRow),
      }),
      "Otherwise.",
    ),
  ),
  total: z.object(amounts),
  parts: described(partAmounts, "What of the total the parts of sessions used, by their role."),
  since: optional(text),
  until: optional(text),
  prices: described(text, "When the list prices were listed."),
  unreadable: z.array(z.object({ path: path(), error: describedError })),
})
