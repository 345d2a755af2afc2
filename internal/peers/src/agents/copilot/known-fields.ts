import { byKind, type CheckedFields, documentsIn, type KnownFields, plain } from "../frame/unknown-fields.js"

const CONTEXT = { ...plain("branch cwd gitRoot headCommit baseCommit repository repositoryHost hostType") }

/** What an attachment and an asset have. */
const ATTACHMENT = plain("type path displayName assetId mimeType data byteLength size width height filePath")

/** The fields of the data of events whose content is read, by kind; others are kept as they are, or not read. */
const DATA: Readonly<Record<string, KnownFields>> = {
  "session.start": {
    ...plain(
      "sessionId version producer copilotVersion startTime selectedModel contextTier alreadyInUse remoteSteerable reasoningEffort",
    ),
    context: CONTEXT,
  },
  "session.model_change": plain("newModel previousModel contextTier reasoningEffort source"),
  "session.title_changed": plain("title"),
  "session.usage_record": { ...plain("id"), usage: true },
  "session.compaction_complete": {
    ...plain("success summaryContent preCompactionTokens preCompactionMessagesLength checkpointNumber checkpointPath"),
    ...plain(
      "conversationTokens systemTokens toolDefinitionsTokens requestId serviceRequestId tokensRemoved messagesRemoved error",
    ),
    compactionTokensUsed: true,
  },
  "session.snapshot_rewind": plain("upToEventId eventsRemoved"),
  "session.binary_asset": { ...ATTACHMENT },
  "system.message": { ...plain("content role name"), metadata: true },
  "system.notification": { ...plain("content"), kind: true },
  "user.message": {
    ...plain(
      "content transformedContent messageId interactionId source agentMode parentAgentTaskId supportedNativeDocumentMimeTypes",
    ),
    attachments: ATTACHMENT,
  },
  "assistant.message": {
    ...plain(
      "content model messageId interactionId originatingMessageId turnId apiCallId requestId outputTokens rte phase",
    ),
    // `reasoningOpaque` repeats the signature of the last thought.
    ...plain("reasoningText reasoningOpaque encryptedContent parentToolCallId serviceRequestId"),
    reasoningBlocks: {
      provider: {},
      blocks: plain("type thinking signature data"),
      orderedBlocks: plain("type thinking signature data text id"),
    },
    toolRequests: {
      ...plain("toolCallId name type toolTitle intentionSummary mcpServerName mcpToolName"),
      arguments: true,
    },
  },
  "tool.user_requested": { ...plain("toolCallId toolName"), arguments: true },
  "tool.execution_complete": {
    ...plain("toolCallId success model interactionId isUserRequested parentToolCallId turnId"),
    ...({ toolTelemetry: true, toolDescription: true } as const),
    result: { ...plain("content detailedContent"), contents: true },
    error: plain("message code"),
  },
}

const EVENT = plain("type id timestamp parentId agentId ephemeral")

/** The fields of the events in a folder that were looked at. */
export function fieldsIn(folder: string): CheckedFields {
  const known = Object.fromEntries(Object.entries(DATA).map(([kind, data]) => [kind, { ...EVENT, data }]))
  return byKind(documentsIn(folder, /events\.jsonl$/), ({ type }) => type, known)
}
