import * as z from "zod/mini"
import { changedModel } from "../entry/settings.js"
import { customShape, messageSchema, usageSchema } from "./message-schemas.js"
import { choiceByField, verbatimObject } from "./verbatim-object.js"

/** The header of a session, of any version (FORMAT.md, section 2). */
export const headerSchema = verbatimObject({
  type: z.literal("session"),
  version: z.exactOptional(z.number()),
  id: z.string().check(z.minLength(1)),
  timestamp: z.string(),
  cwd: z.string(),
  parentSession: z.exactOptional(z.string()),
  otherContentOf: z.exactOptional(z.string()),
  title: z.exactOptional(z.string()),
  titleSource: z.exactOptional(z.string()),
})

const head = { id: z.string().check(z.minLength(1)), parentId: z.nullable(z.string()), timestamp: z.string() }
const text = z.exactOptional(z.string())
const flag = z.exactOptional(z.boolean())
const anything = z.exactOptional(z.unknown())
const record = z.record(z.string(), z.unknown())

function entryOf<Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) {
  return verbatimObject({ type: z.literal(type), ...head, ...shape })
}

const checkpoint = verbatimObject({
  thinkingLevel: z.string(),
  model: z.nullable(verbatimObject({ provider: z.string(), modelId: z.string() })),
  models: z.record(z.string(), z.string()),
  mode: z.string(),
  modeData: z.exactOptional(record),
  injectedTtsrRules: z.array(z.string()),
  defaultModelIsExplicit: z.boolean(),
})

const summaryShape = {
  summary: z.string(),
  details: anything,
  fromHook: flag,
  fromExtension: flag,
  usage: z.exactOptional(usageSchema),
}

const usageOutside = { provider: text, model: text, role: text, usage: z.exactOptional(usageSchema) }

/** The entries of FORMAT.md, section 2, version 3, by type. */
export const entrySchemas = {
  message: entryOf("message", { message: messageSchema }),
  model_change: entryOf("model_change", { provider: text, modelId: text, model: text, role: text }).check(
    z.refine((entry) => changedModel(entry) !== undefined, {
      path: ["model"],
      error: 'Expected provider and modelId, or a model of the form "provider/modelId"',
    }),
  ),
  thinking_level_change: entryOf("thinking_level_change", {
    thinkingLevel: z.nullable(z.string()),
    configured: z.exactOptional(z.nullable(z.string())),
  }),
  compaction: entryOf("compaction", {
    ...summaryShape,
    verbatim: flag,
    sentAs: z.exactOptional(z.array(messageSchema)),
    shortSummary: text,
    firstKeptEntryId: text,
    tokensBefore: z.number(),
    preserveData: z.exactOptional(record),
    providerReplayThroughEntryId: text,
    provider: text,
    model: text,
    systemMessage: z.exactOptional(messageSchema),
    retainedTail: z.exactOptional(z.array(messageSchema)),
    settings: z.exactOptional(checkpoint),
  }),
  branch_summary: entryOf("branch_summary", { fromId: z.string(), ...summaryShape }),
  custom: entryOf("custom", { customType: z.string(), data: anything }),
  custom_message: entryOf("custom_message", customShape),
  label: entryOf("label", { targetId: z.string(), label: z.exactOptional(z.nullable(z.string())) }),
  session_info: entryOf("session_info", { name: text }),
  ttsr_injection: entryOf("ttsr_injection", { injectedRules: z.array(z.string()) }),
  session_init: entryOf("session_init", {
    systemPrompt: z.string(),
    task: z.string(),
    tools: z.array(z.string()),
    outputSchema: anything,
  }),
  mode_change: entryOf("mode_change", { mode: z.string(), data: z.exactOptional(record) }),
  context_edit: entryOf("context_edit", {
    targetId: z.string(),
    replacement: z.nullable(verbatimObject({ content: z.unknown() })),
  }),
  usage: entryOf("usage", usageOutside),
  model_usage: entryOf("model_usage", usageOutside),
  reset_boundary: entryOf("reset_boundary", {}),
  title_change: entryOf("title_change", { title: z.string(), source: text }),
  leaf: entryOf("leaf", { targetId: z.nullable(z.string()) }),
  service_tier_change: entryOf("service_tier_change", {}),
  credential_pin: entryOf("credential_pin", {}),
  context_change: entryOf("context_change", {}),
  mcp_tool_selection: entryOf("mcp_tool_selection", {}),
}

/** Any entry: a known type by its schema, an unknown one if it has the fields of every entry. */
export const entrySchema = choiceByField("type", entrySchemas, verbatimObject({ type: z.string(), ...head }))
