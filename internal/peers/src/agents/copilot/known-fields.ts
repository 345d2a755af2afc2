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
    ...plain(
      "success outcome outcomeReason failureReason compactionAttemptId model initialModel error trigger statusCode",
    ),
    ...plain("preCompactionTokens postCompactionTokens preCompactionMessagesLength messagesRemoved tokensRemoved"),
    ...plain("tokenAccountingBasis customInstructions summaryContent behaviorModelId checkpointNumber checkpointPath"),
    ...plain("requestId serviceRequestId systemTokens conversationTokens toolDefinitionsTokens tokenLimit"),
    ...({ compactionTokensUsed: true, responsesReasoning: true } as const),
  },
  "session.snapshot_rewind": plain("upToEventId eventsRemoved eventIds"),
  "session.binary_asset": { ...ATTACHMENT, ...plain("description"), metadata: true },
  "system.message": { ...plain("content role name interactionId"), metadata: true, contentBlocks: true },
  "system.notification": { ...plain("content"), kind: true, responsesReasoning: true },
  "user.message": {
    ...plain(
      "content transformedContent messageId interactionId source agentMode parentAgentTaskId supportedNativeDocumentMimeTypes",
    ),
    ...plain("delivery turnId isAutopilotContinuation nativeDocumentPathFallbackPaths"),
    responsesReasoning: true,
    attachments: ATTACHMENT,
  },
  "assistant.message": {
    ...plain(
      "content model messageId interactionId originatingMessageId turnId apiCallId requestId outputTokens rte phase",
    ),
    // `reasoningOpaque` repeats the signature of the last thought.
    ...plain("reasoningText reasoningOpaque encryptedContent parentToolCallId serviceRequestId"),
    ...plain("providerId chunkIndex chunkCount reasoningWireField clientRequestId"),
    ...({ serverTools: true, citations: true, fusion: true } as const),
    reasoningBlocks: {
      provider: {},
      blocks: { ...plain("type thinking signature data id encrypted_content"), summary: plain("type text") },
      orderedBlocks: plain("type thinking signature data text id"),
    },
    toolRequests: {
      ...plain("toolCallId name type toolTitle intentionSummary mcpServerName mcpToolName"),
      caller: true,
      arguments: true,
    },
  },
  "tool.user_requested": { ...plain("toolCallId toolName"), arguments: true },
  "tool.execution_complete": {
    ...plain("toolCallId success model interactionId isUserRequested parentToolCallId turnId"),
    ...plain("rte sandboxed"),
    ...({
      toolTelemetry: true,
      toolDescription: true,
      shellExecution: true,
      fileEdits: true,
      toolUsage: true,
    } as const),
    ...({ mcpMeta: true, fusion: true } as const),
    result: {
      ...plain("content detailedContent"),
      ...({ contents: true, binaryResultsForLlm: true, structuredContent: true, citableSources: true } as const),
      ...({ uiResource: true, mcpMeta: true } as const),
    },
    error: plain("message code"),
  },
}

const EVENT = plain("type id timestamp parentId agentId ephemeral")

/** The fields of the events in a folder that were looked at. */
export function fieldsIn(folder: string): CheckedFields {
  const known = Object.fromEntries(Object.entries(DATA).map(([kind, data]) => [kind, { ...EVENT, data }]))
  return byKind(documentsIn(folder, /events\.jsonl$/), ({ type }) => type, known)
}
