import * as z from "zod/mini"
import {
  amounts,
  bytes,
  cost,
  count,
  described,
  describedError,
  diagnostic,
  document,
  entry,
  failure,
  iso,
  leafId,
  optional,
  orNull,
  partAmounts,
  path,
  program,
  session,
  sessionInfo,
  tally,
  text,
} from "./parts.js"
import { usage as usageSums } from "./searching.js"

// What the commands print that read sessions.

export const list = described(
  document({ path: path(), ...sessionInfo, store: optional(program()) }),
  "One a line, as they are found; with --limit, newest first.",
)

export const show = document({
  ...session,
  cost: optional(cost),
  items: z.array(
    z.object({
      entry: entry(),
      description: text,
      inContext: z.boolean(),
      edited: optional(z.enum(["omitted", "replaced"])),
    }),
  ),
})

export const resume = described(
  document({ path: path(), id: text, cwd: text, name: optional(text) }),
  "The session that was chosen; with --query and no terminal, one a line.",
)

const treeView = document({
  ...session,
  filter: text,
  nodes: described(
    z.array(
      z.object({
        id: text,
        parentId: described(orNull(text), "The nearest entry above that is shown."),
        type: text,
        timestamp: iso(),
        who: text,
        text,
        label: optional(text),
        cost: optional(cost),
        active: z.boolean(),
        leaf: z.boolean(),
      }),
    ),
    "Flat, in the order in which they are drawn.",
  ),
})

const arrival = document({
  ...session,
  entryId: described(orNull(text), "The entry that was written, if one was."),
  targetId: described(orNull(text), "Where the session stands now; null is before everything."),
  selectedId: described(orNull(text), "The entry that was chosen."),
  editorText: optional(described(text, "What may be said differently.")),
  summarized: optional(z.boolean()),
  diagnostics: optional(described(z.array(diagnostic), "With --summarizer: long texts that it saw cut.")),
})

export const tree = z.union([
  described(treeView, "What is drawn."),
  described(arrival, "With --select or --interactive."),
])

const message = described(z.looseObject({ role: text }), "A message of a session: docs/schema/session/message.json.")
const model = z.object({ provider: text, modelId: text })

const fidelity = described(
  z.object({ exactness: z.enum(["exact", "approximate", "unknown"]), reason: text }),
  "Whether the context has the messages that the model got, and why.",
)

const sessionContext = document({
  messages: z.array(message),
  entries: described(z.array(text), "entries[i] is the id of the entry that gave messages[i]."),
  model: orNull(model),
  models: z.record(z.string(), text),
  thinkingLevel: text,
  mode: text,
  modeData: optional(z.record(z.string(), z.unknown())),
  injectedTtsrRules: z.array(text),
  diagnostics: z.array(diagnostic),
  fidelity,
})

const llmNote = {
  kind: text,
  message: text,
}

const llmContext = document({
  ...session,
  llm: z.enum(["anthropic", "openai", "openai-responses", "ai-sdk"]),
  repaired: described(z.boolean(), "Whether --repair was given."),
  request: z.record(z.string(), z.unknown()),
  changes: z.array(z.object({ ...llmNote, index: count, entryId: orNull(text) })),
  fidelity,
  diagnostics: z.array(
    z.object({
      ...llmNote,
      index: optional(count),
      entryId: optional(orNull(text)),
      line: optional(count),
      offset: optional(bytes()),
    }),
  ),
})

export const context = z.union([described(sessionContext, "Without --llm."), described(llmContext, "With --llm.")])

const counted = {
  messages: count,
  roles: described(z.record(z.string(), count), "Messages by role."),
  entries: count,
  models: described(z.record(z.string(), z.object(amounts)), "By provider/model; `unknown` where none is named."),
  total: z.object(amounts),
  parts: described(partAmounts, "What of the total the parts of the session used, by their role."),
  prices: described(text, "When the list prices were listed."),
  readFiles: z.array(text),
  modifiedFiles: z.array(text),
  unknownTools: described(z.array(text), "Such as shells: nobody can say which files their calls read or modified."),
  from: optional(iso()),
  to: optional(iso()),
  disk: z.object({ session: bytes(), artifacts: bytes(), blobs: bytes() }),
  blobs: z.object({ folders: z.array(path()), count, missing: count }),
}

const storeDisk = document({
  projects: described(
    z.array(z.object({ cwd: text, sessions: count, session: bytes(), artifacts: bytes() })),
    "The largest first; cwd is empty for what cannot be read.",
  ),
  sessions: tally(),
  artifacts: bytes(),
  beside: described(bytes(), "Bytes of backups and the like."),
  trash: tally(),
  blobs: z.object({ folder: path(), count, bytes: bytes() }),
  besideBlobs: described(bytes(), "Bytes of what blobs gc took away, and the like."),
  history: bytes(),
  total: bytes(),
  unreadable: z.array(z.object(failure)),
})

const contextUse = document({
  ...session,
  by: z.literal("tool"),
  rows: z.array(
    z.object({
      part: z.enum(["system", "prompts", "replies", "thinking", "calls", "results", "summaries", "other"]),
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
  total: z.object({ tokens: count, freed: count }),
})

export const stats = z.union([
  described(document({ sessionId: text, path: path(), ...counted }), "Of one session."),
  described(storeDisk, "With --disk and no session."),
  described(usageSums, "Without a session, or with --by, --since, --until or --all-stores."),
  described(contextUse, "With --by tool."),
])

const url = described(text, "With the token that lets one in.")

export const view = z.union([
  described(document({ sessionId: text, path: path(), url }), "With a session, once the page can be had."),
  described(
    document({ stores: z.array(z.object({ name: text, address: text })), url }),
    "Without one: the page of all sessions of these stores.",
  ),
])

export const watch = described(document({ entry: entry(), description: text }), "One for each entry.")

export const verification = {
  path: path(),
  id: text,
  version: described(z.unknown(), "As the header has it; 1 where it has none."),
  lines: count,
  entries: count,
  size: bytes(),
  ok: z.boolean(),
  diagnostics: z.array(diagnostic),
}

export const verify = z.union([
  described(document(verification), "What was found."),
  described(document({ path: path(), ok: z.literal(false), error: describedError }), "What could not be read."),
  described(
    document({ orphan: path(), removed: z.literal(true) }),
    "With --fix-orphans: what a killed command had left.",
  ),
])

export const name = z.union([
  described(document({ sessionId: text, path: path(), name: orNull(text) }), "Without a name."),
  described(document({ ...session, entryId: text, name: orNull(text), leafId: leafId() }), "With a name, or --clear."),
])
