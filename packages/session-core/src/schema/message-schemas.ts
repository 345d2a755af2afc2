import * as z from "zod/mini"
import { choiceByField } from "./choice.js"
import { blocksSchema, textOrBlocks, textOrShownBlocks } from "./content-schemas.js"
import { verbatimObject } from "./verbatim-object.js"

/** Tokens and cost as a provider reported them. */
export const usageSchema = verbatimObject({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  totalTokens: z.exactOptional(z.number()),
  cost: z.exactOptional(
    verbatimObject({
      input: z.number(),
      output: z.number(),
      cacheRead: z.number(),
      cacheWrite: z.number(),
      total: z.number(),
    }),
  ),
})

const timestamp = z.number()

/** Roles without a schema of their own: only the role is checked. */
const kept = <Role extends string>(role: Role) => verbatimObject({ role: z.literal(role) })

/** The messages of FORMAT.md, section 2, by role. */
export const messageSchemas = {
  user: verbatimObject({ role: z.literal("user"), content: textOrBlocks, timestamp }),
  assistant: verbatimObject({
    role: z.literal("assistant"),
    content: blocksSchema,
    provider: z.string(),
    model: z.string(),
    api: z.exactOptional(z.string()),
    usage: z.exactOptional(usageSchema),
    stopReason: z.exactOptional(z.string()),
    errorMessage: z.exactOptional(z.string()),
    timestamp,
  }),
  toolResult: verbatimObject({
    role: z.literal("toolResult"),
    toolCallId: z.string(),
    toolName: z.string(),
    content: blocksSchema,
    details: z.exactOptional(z.unknown()),
    isError: z.exactOptional(z.boolean()),
    timestamp,
  }),
  bashExecution: verbatimObject({
    role: z.literal("bashExecution"),
    command: z.string(),
    output: z.string(),
    exitCode: z.exactOptional(z.nullable(z.number())),
    cancelled: z.boolean(),
    truncated: z.boolean(),
    fullOutputPath: z.exactOptional(z.string()),
    excludeFromContext: z.exactOptional(z.boolean()),
    timestamp,
  }),
  custom: verbatimObject({
    role: z.literal("custom"),
    customType: z.string(),
    content: textOrShownBlocks,
    display: z.boolean(),
    details: z.exactOptional(z.unknown()),
    attribution: z.exactOptional(z.string()),
    timestamp,
  }),
  branchSummary: verbatimObject({
    role: z.literal("branchSummary"),
    summary: z.string(),
    fromId: z.string(),
    timestamp,
  }),
  compactionSummary: verbatimObject({
    role: z.literal("compactionSummary"),
    summary: z.string(),
    shortSummary: z.exactOptional(z.string()),
    tokensBefore: z.number(),
    providerPayload: z.exactOptional(
      verbatimObject({ provider: z.string(), replacementHistory: z.array(z.unknown()) }),
    ),
    timestamp,
  }),
  system: kept("system"),
  developer: kept("developer"),
  pythonExecution: kept("pythonExecution"),
  fileMention: kept("fileMention"),
  hookMessage: kept("hookMessage"),
}

/** Any message: a known role by its schema, an unknown one if it has a role. */
export const messageSchema = choiceByField("role", messageSchemas, verbatimObject({ role: z.string() }))
