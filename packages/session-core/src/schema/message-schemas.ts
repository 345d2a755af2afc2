import * as z from "zod/mini"
import { choice, choiceByField, verbatimObject } from "./verbatim-object.js"

/** The content blocks of FORMAT.md, section 2, by type. */
export const contentSchemas = {
  text: verbatimObject({
    type: z.literal("text"),
    text: z.string(),
    textSignature: z.exactOptional(z.string()),
  }),
  image: verbatimObject({ type: z.literal("image"), data: z.string(), mimeType: z.string() }),
  thinking: verbatimObject({
    type: z.literal("thinking"),
    thinking: z.string(),
    thinkingSignature: z.exactOptional(z.string()),
    redacted: z.exactOptional(z.boolean()),
  }),
  toolCall: verbatimObject({
    type: z.literal("toolCall"),
    id: z.string(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    thoughtSignature: z.exactOptional(z.string()),
  }),
}

/** Any content block: a known type by its schema, an unknown one if it has a type. */
export const contentSchema = choiceByField("type", contentSchemas, verbatimObject({ type: z.string() }))

const shownBlock = choiceByField("type", { text: contentSchemas.text }, contentSchemas.image)

const blocksSchema = z.array(contentSchema)
const textOrBlocks = stringOr(blocksSchema)
/** The content that extensions may add to the context: text and images. */
const textOrShownBlocks = stringOr(z.array(shownBlock))

function stringOr<Blocks extends z.core.$ZodType>(blocks: Blocks) {
  const text = z.string()
  return choice([text, blocks], (value) => (typeof value === "string" ? text : blocks))
}

const parts = { input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() }

/** Tokens and cost as a provider reported them. */
export const usageSchema = verbatimObject({
  ...parts,
  cacheWrite1h: z.exactOptional(z.number()),
  reasoning: z.exactOptional(z.number()),
  totalTokens: z.exactOptional(z.number()),
  webSearches: z.exactOptional(z.number()),
  serviceTier: z.exactOptional(z.string()),
  cost: z.exactOptional(verbatimObject({ ...parts, total: z.number() })),
})

const text = z.exactOptional(z.string())
const flag = z.exactOptional(z.boolean())
const anything = z.exactOptional(z.unknown())

/** The fields of a message of an extension, and of its entry. */
export const customShape = {
  customType: z.string(),
  content: textOrShownBlocks,
  display: z.boolean(),
  details: anything,
  attribution: text,
  placement: z.exactOptional(z.enum(["start", "first", "last", "beside"])),
}

/** A message of this role, with its own fields. */
function messageOf<Role extends string, Shape extends z.core.$ZodLooseShape>(role: Role, shape: Shape) {
  return verbatimObject({ role: z.literal(role), ...shape, timestamp: z.number() })
}

/** Roles without a schema of their own: only the role is checked. */
const kept = <Role extends string>(role: Role) => verbatimObject({ role: z.literal(role) })

/** The messages of FORMAT.md, section 2, by role. */
export const messageSchemas = {
  user: messageOf("user", { content: textOrBlocks, prompt: text }),
  assistant: messageOf("assistant", {
    content: blocksSchema,
    provider: z.string(),
    model: z.string(),
    api: text,
    usage: z.exactOptional(usageSchema),
    stopReason: text,
    errorMessage: text,
    responseId: text,
    request: z.exactOptional(z.enum(["recorded", "rebuilt"])),
    lostResult: z.exactOptional(
      verbatimObject({ text: z.string(), isError: z.boolean(), isBehindCall: z.exactOptional(z.boolean()) }),
    ),
    reminders: z.exactOptional(z.enum(["user", "joined"])),
    foreignThinking: z.exactOptional(z.enum(["kept", "omitted", "text"])),
    chat: z.exactOptional(verbatimObject({ files: z.string() })),
  }),
  toolResult: messageOf("toolResult", {
    toolCallId: z.string(),
    toolName: z.string(),
    content: blocksSchema,
    details: anything,
    isError: flag,
    stopReason: text,
  }),
  bashExecution: messageOf("bashExecution", {
    command: z.string(),
    output: z.string(),
    exitCode: z.exactOptional(z.nullable(z.number())),
    cancelled: z.boolean(),
    truncated: z.boolean(),
    fullOutputPath: text,
    excludeFromContext: flag,
  }),
  custom: messageOf("custom", customShape),
  branchSummary: messageOf("branchSummary", { summary: z.string(), fromId: z.string() }),
  compactionSummary: messageOf("compactionSummary", {
    summary: z.string(),
    verbatim: flag,
    shortSummary: text,
    tokensBefore: z.number(),
    providerPayload: z.exactOptional(
      verbatimObject({ provider: z.string(), replacementHistory: z.array(z.unknown()) }),
    ),
  }),
  system: kept("system"),
  developer: kept("developer"),
  pythonExecution: kept("pythonExecution"),
  fileMention: kept("fileMention"),
  hookMessage: kept("hookMessage"),
}

/** Any message: a known role by its schema, an unknown one if it has a role. */
export const messageSchema = choiceByField("role", messageSchemas, verbatimObject({ role: z.string() }))
