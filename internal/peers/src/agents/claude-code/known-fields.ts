/** The fields of the lines of Claude Code that were looked at when the reader was written, and those of their messages. */
export const KNOWN_FIELDS = words(`
  agentId agentName aiTitle apiBlockIndex atis attachment attributionAgent attributionMcpServer attributionMcpTool attributionSkill
  base cacheControl commandRun commandUuid compactMetadata content customTitle cwd data deliveryId durationMs echoWireToolInputs
  effort entrypoint explicit failedHookErrorIndexes forkedFrom gitBranch hasOutput hasUnknownModelCost hash hookAdditionalContext
  hookCount hookErrors hookInfos id imagePasteIds interruptedMessageId isApiErrorMessage isCompactSummary isMeta isSidechain
  isSnapshotUpdate isVisibleInTranscriptOnly keep key label lastPrompt leafUuid level logicalParentUuid madeBy mcpCallNotReadOnly mcpMeta
  message message.container message.content message.context_management message.diagnostics message.id message.model message.role message.stop_details
  message.stop_reason message.stop_sequence message.type message.usage messageCount messageId microcompactMetadata mode modelRestriction modelUsage
  operation origin ownNote params parentToolUseID parentUuid perTurnEffort permissionDecision permissionMode phase prNumber prRepository
  prUrl preventedContinuation promptCacheRequested promptId promptSource querySource queueSkipAttachments reason
  remoteControlDeviceReport rendered renderedBesideToolResult renderedRole requestDigest requestId requestRef requestSessionId
  requestedModel result rowSource sandboxed sentAtMs serverClassifierRequest sessionId session_id shape shapeHash slug snapshot
  sourceToolAssistantUUID sourceToolUseID startTime stopReason subtype summarizeMetadata summary tag tail thinkingDisplay
  thinkingDurationMs thinkingMetadata thread timestamp todos toolInputStreamMs toolDenialKind toolUseID toolUseResult tools
  totalAPIDuration totalAPIDurationWithoutRetries totalCostUSD totalDuration totalLinesAdded totalLinesRemoved totalToolDuration
  turnCompanion turnOrigin turnPosition type userType uuid version
`)

/** The same for the kinds of attachments. */
export const KNOWN_ATTACHMENTS = words(`
  agent_listing_delta auto_mode command_permissions date deferred_tools_delta directory environment file hook_additional_context
  hook_success instructions mcp_instructions_delta model nested_memory plan_mode plan_mode_exit prompt_snapshot queued_command
  remote_session_change session_context skill_listing total_tokens_reminder
`)

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
