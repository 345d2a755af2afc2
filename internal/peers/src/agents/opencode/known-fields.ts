import { type KnownFields, plain } from "../frame/unknown-fields.js"

const TOKENS = { ...plain("total input output reasoning"), cache: plain("read write") }
const ROW = plain("id session_id time_created time_updated")
const ERROR = { ...plain("name"), data: true } as const

/** Of the tables of opencode and Kilo. */
export const KNOWN_FIELDS = {
  session: {
    ...plain("id project_id parent_id slug directory title version share_url path agent cost workspace_id"),
    ...plain(
      "summary_additions summary_deletions summary_files time_created time_updated time_compacting time_archived",
    ),
    ...plain("tokens_input tokens_output tokens_reasoning tokens_cache_read tokens_cache_write"),
    ...({ summary_diffs: true, permission: true, metadata: true } as const),
    model: plain("id providerID variant"),
    revert: plain("messageID partID snapshot diff workspace"),
  },
  message: {
    ...ROW,
    data: {
      ...plain("role agent mode parentID modelID providerID cost finish system variant"),
      ...({ tools: true, format: true, structured: true } as const),
      ...{ time: plain("created completed"), path: plain("cwd root"), tokens: TOKENS, error: ERROR },
      model: plain("providerID modelID variant"),
      // Of a prompt, what its turn changed; of a reply, that it is one of a conversation.
      summary: { ...plain("title body"), diffs: true },
    },
  },
  part: {
    ...ROW,
    ...plain("message_id"),
    data: {
      ...plain("type text synthetic ignored callID tool reason cost snapshot hash files name attempt"),
      ...plain("mime filename url auto overflow tail_start_id prompt description agent command"),
      ...{ time: plain("start end created elapsed"), tokens: TOKENS, error: ERROR, model: plain("providerID modelID") },
      ...({ source: true, metrics: true } as const),
      metadata: {
        ...plain("compaction_continue"),
        anthropic: plain("signature redactedData"),
        openai: plain("itemId reasoningEncryptedContent"),
        kilo: { injected: plain("title") },
      },
      state: {
        ...plain("status output title error raw"),
        ...({ input: true, metadata: true } as const),
        time: plain("start end compacted"),
        attachments: plain("id sessionID messageID type mime filename url"),
      },
    },
  },
} as const satisfies KnownFields
