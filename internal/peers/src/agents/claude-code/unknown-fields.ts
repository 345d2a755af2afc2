import { documentsIn } from "../frame/unknown-fields.js"
import type { Json } from "../model/blocks.js"

/** The fields of the lines of Claude Code that were looked at when the reader was written, and those of their messages. */
const KNOWN_FIELDS = words(`
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

/** The known fields of each kind of attachment. */
const KNOWN_ATTACHMENTS = words(`
  agent_listing_delta auto_mode command_permissions date deferred_tools_delta directory environment file hook_additional_context
  hook_success instructions mcp_instructions_delta model nested_memory plan_mode plan_mode_exit prompt_snapshot queued_command
  remote_session_change session_context skill_listing total_tokens_reminder
`)

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** The fields of lines, and the kinds of attachments, in the files of a folder that are not known yet. */
export async function unknownFields(folder: string): Promise<Set<string>> {
  const unknown = new Set<string>()
  for await (const line of documentsIn(folder, /\.jsonl$/)()) addUnknown(line as Json, unknown)
  return unknown
}

function addUnknown({ type, ...record }: Json, unknown: Set<string>): void {
  const attachment = (record.attachment ?? {}) as Json
  if (type === "attachment" && !KNOWN_ATTACHMENTS.has(String(attachment.type)))
    unknown.add(`attachment ${attachment.type}`)
  const isMessage = type === "user" || type === "assistant"
  const inMessage = isMessage ? Object.keys(record.message as Json).map((field) => `message.${field}`) : []
  for (const field of [...Object.keys(record), ...inMessage])
    if (!KNOWN_FIELDS.has(field)) unknown.add(`${type}.${field}`)
}
