// One valid entry, message and block for each kind and each form in which the programs write it, as text: the order of
// keys is part of the format.

const head = (type: string) =>
  `"type":"${type}","id":"0a1b2c3d","parentId":"83499cb0","timestamp":"2026-03-07T14:00:00.000Z"`
const entry = (type: string, fields: string) => `{${head(type)},${fields}}`

const USAGE = '{"input":1200,"output":80,"cacheRead":0,"cacheWrite":0,"totalTokens":1280}'
const COST = '{"input":0.0036,"output":0.0012,"cacheRead":0,"cacheWrite":0,"total":0.0048}'
const CHECKPOINT =
  '{"thinkingLevel":"high","model":{"provider":"openai","modelId":"gpt-5"},"models":{"default":"openai/gpt-5"},"mode":"plan","modeData":{"planFile":"p.md"},"injectedTtsrRules":["no-any"],"defaultModelIsExplicit":true}'

export const BLOCKS: readonly (readonly [form: string, json: string])[] = [
  ["text", '{"type":"text","text":"Hi"}'],
  ["text, signed", '{"type":"text","text":"Hi","textSignature":"sig"}'],
  ["image", '{"type":"image","data":"aGk=","mimeType":"image/png"}'],
  ["image in a blob", `{"type":"image","data":"blob:sha256:${"1b".repeat(32)}","mimeType":"image/png"}`],
  ["thinking", '{"type":"thinking","thinking":"Find it.","thinkingSignature":"sig-1"}'],
  ["thinking, redacted", '{"type":"thinking","thinking":"","thinkingSignature":"sig-1","redacted":true}'],
  ["toolCall", '{"type":"toolCall","id":"call_1","name":"read","arguments":{"path":"a.ts"},"thoughtSignature":"s"}'],
  ["an unknown block", '{"text":7,"type":"hologram","__proto__":{"a":1}}'],
]

const blocks = `[${BLOCKS.map(([, json]) => json).join(",")}]`

export const MESSAGES: readonly (readonly [form: string, json: string])[] = [
  ["user, text", '{"role":"user","content":"Hi","timestamp":1764000003000}'],
  ["user, blocks", `{"role":"user","content":${blocks},"timestamp":1764000003000}`],
  [
    "assistant",
    `{"role":"assistant","content":${blocks},"api":"anthropic-messages","provider":"anthropic","model":"opus","usage":${USAGE.slice(0, -1)},"cost":${COST}},"stopReason":"toolUse","responseId":"msg_1","timestamp":1}`,
  ],
  [
    "assistant, aborted, without usage",
    '{"role":"assistant","content":[],"provider":"openai","model":"gpt-5","stopReason":"aborted","timestamp":1,"errorMessage":"no"}',
  ],
  [
    "toolResult",
    '{"role":"toolResult","toolCallId":"call_1","toolName":"edit","content":[{"type":"text","text":"ok"}],"details":{"diff":"-a"},"isError":false,"timestamp":1}',
  ],
  [
    "bashExecution",
    '{"role":"bashExecution","command":"cat .env","output":"","exitCode":null,"cancelled":true,"truncated":true,"fullOutputPath":"out.txt","excludeFromContext":true,"timestamp":1}',
  ],
  [
    "custom",
    '{"role":"custom","customType":"memory","content":[{"type":"image","data":"aGk=","mimeType":"image/png"}],"display":true,"details":1,"attribution":"agent","timestamp":1}',
  ],
  ["branchSummary", '{"role":"branchSummary","summary":"Went back.","fromId":"5e40b9ff","timestamp":1}'],
  [
    "compactionSummary",
    '{"role":"compactionSummary","summary":"## Goal","verbatim":true,"shortSummary":"Goal","tokensBefore":2600,"providerPayload":{"provider":"openai","replacementHistory":[{"id":1}],"more":true},"timestamp":1}',
  ],
  ["system, pi 1.x", '{"role":"system","content":"","sections":{"cwd":"/home/dev"},"toolsAdded":[],"timestamp":1}'],
  ["developer", '{"role":"developer","content":null}'],
  ["pythonExecution", '{"role":"pythonExecution","code":"1+1","output":"2","timestamp":1}'],
  ["fileMention", '{"role":"fileMention","files":[{"path":"a.ts","content":"x"}],"timestamp":1}'],
  ["hookMessage, version 2", '{"role":"hookMessage","customType":"h","content":"Hi","display":true,"timestamp":1}'],
  ["an unknown role", '{"timestamp":"later","role":"oracle","content":false}'],
]

export const ENTRIES: readonly (readonly [form: string, json: string])[] = [
  ...MESSAGES.map(([form, json]) => [`message, ${form}`, entry("message", `"message":${json}`)] as const),
  ["model_change, pi", entry("model_change", '"provider":"anthropic","modelId":"opus"')],
  ["model_change, omp", entry("model_change", '"model":"anthropic/opus","resolvedModelIsFallback":false')],
  ["model_change, xcsh", entry("model_change", '"model":"openai/gpt-5-mini","role":"smol"')],
  ["model_change, treelog", entry("model_change", '"provider":"a","modelId":"b/c","model":"a/b/c","role":"default"')],
  ["thinking_level_change, pi", entry("thinking_level_change", '"thinkingLevel":"medium"')],
  ["thinking_level_change, omp", entry("thinking_level_change", '"thinkingLevel":"high","configured":null')],
  ["thinking_level_change, off", entry("thinking_level_change", '"thinkingLevel":null,"configured":"auto"')],
  [
    "compaction, pi",
    entry(
      "compaction",
      `"summary":"## Goal","firstKeptEntryId":"6dadbdfe","tokensBefore":2600,"details":{"readFiles":[]},"usage":${USAGE},"fromHook":false,"systemMessage":{"role":"system","content":""}`,
    ),
  ],
  [
    "compaction, xcsh",
    entry(
      "compaction",
      '"summary":"s","verbatim":true,"sentAs":[{"role":"user","content":"What did we do so far?","timestamp":1}],"shortSummary":"s","firstKeptEntryId":"6dadbdfe","tokensBefore":1,"preserveData":{"openaiRemoteCompaction":{"provider":"openai","replacementHistory":[]}},"fromExtension":true',
    ),
  ],
  [
    "compaction, omp",
    entry(
      "compaction",
      '"summary":"s","firstKeptEntryId":"6dadbdfe","tokensBefore":1,"preserveData":{"openaiRemoteCompaction":{"provider":"openai","replacementHistory":[]}},"providerReplayThroughEntryId":"6dadbdfe"',
    ),
  ],
  [
    "compaction, treelog",
    entry("compaction", `"summary":"s","firstKeptEntryId":"0a1b2c3d","tokensBefore":1,"settings":${CHECKPOINT}`),
  ],
  ["compaction that keeps nothing", entry("compaction", '"summary":"s","tokensBefore":0')],
  ["branch_summary, pi", entry("branch_summary", '"fromId":"5e40b9ff","summary":"s","details":{},"fromHook":false')],
  ["branch_summary, omp", entry("branch_summary", '"fromId":"root","summary":"s","fromExtension":true')],
  ["branch_summary, with usage", entry("branch_summary", `"fromId":"root","summary":"","usage":${USAGE}`)],
  [
    "custom, pi's order of keys",
    '{"type":"custom","customType":"todo","data":{"n":1},"id":"a5a55637","parentId":null,"timestamp":"2026-03-07T14:00:00.000Z"}',
  ],
  ["custom without data", entry("custom", '"customType":"treelog.leaf"')],
  [
    "custom_message, pi",
    entry("custom_message", '"customType":"m","content":[{"type":"text","text":"x"}],"display":true'),
  ],
  [
    "custom_message, converted from Claude Code",
    entry("custom_message", '"customType":"m","content":"x","display":false,"details":{"d":1},"placement":"last"'),
  ],
  [
    "custom_message, converted from Gemini CLI",
    entry("custom_message", '"customType":"m","content":"x","display":false,"placement":"start"'),
  ],
  [
    "custom_message, omp",
    entry("custom_message", '"customType":"m","content":"x","display":false,"details":{"d":1},"attribution":"agent"'),
  ],
  ["label", entry("label", '"targetId":"90f5a690","label":"works"')],
  ["label, cleared", entry("label", '"targetId":"90f5a690"')],
  ["label, cleared with null", entry("label", '"targetId":"90f5a690","label":null')],
  ["session_info", entry("session_info", '"name":"Discount field"')],
  ["session_info, cleared", entry("session_info", '"name":""')],
  ["ttsr_injection", entry("ttsr_injection", '"injectedRules":["no-any","auth-first"]')],
  [
    "session_init",
    entry(
      "session_init",
      '"systemPrompt":"You are omp.","task":"audit","tools":["read"],"outputSchema":{"type":"object"}',
    ),
  ],
  ["mode_change", entry("mode_change", '"mode":"plan","data":{"planFile":"docs/plan.md"}')],
  ["mode_change, leaving", entry("mode_change", '"mode":"none"')],
  ["context_edit, replacing", entry("context_edit", '"targetId":"35e24eb2","replacement":{"content":[]}')],
  ["context_edit, omitting", entry("context_edit", '"targetId":"35e24eb2","replacement":null')],
  ["usage, pi", entry("usage", `"kind":"cache_warm","provider":"a","model":"opus","usage":${USAGE},"note":"warm"`)],
  ["model_usage, omp", entry("model_usage", `"model":"a/opus","usage":${USAGE}`)],
  ["reset_boundary, omp", entry("reset_boundary", '"reason":"new task"')],
  ["title_change, omp", entry("title_change", '"title":"API audit","source":"user"')],
  ["leaf, pi agent-core", entry("leaf", '"targetId":"90f5a690"')],
  ["leaf before everything", entry("leaf", '"targetId":null')],
  ["service_tier_change, omp", entry("service_tier_change", '"serviceTier":{"anthropic":"priority"}')],
  ["credential_pin, omp", entry("credential_pin", '"pin":1')],
  ["context_change, xcsh", entry("context_change", '"context":[]')],
  ["mcp_tool_selection, omp", entry("mcp_tool_selection", '"tools":["a"]')],
  [
    "an unknown type",
    '{"z":1,"type":"of.tomorrow","a":[null],"id":"x","parentId":null,"timestamp":"","__proto__":{"b":2}}',
  ],
]

export const HEADERS: readonly (readonly [form: string, json: string])[] = [
  [
    "pi, version 3",
    '{"type":"session","version":3,"id":"01a1","timestamp":"2026-03-07T14:00:00.000Z","cwd":"/home/dev"}',
  ],
  [
    "pi, version 1, branched",
    '{"type":"session","id":"ffae","timestamp":"2025-12-09T00:53:29.825Z","cwd":"/","provider":"anthropic","modelId":"opus","thinkingLevel":"off","branchedFrom":"a.jsonl"}',
  ],
  [
    "xcsh, forked and titled",
    '{"titleSource":"auto","title":"API","type":"session","version":3,"id":"0123456789abcdef","timestamp":"","cwd":"","parentSession":"01a1","__proto__":1}',
  ],
]
