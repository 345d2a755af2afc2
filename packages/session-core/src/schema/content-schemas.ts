import * as z from "zod/mini"
import { choice, choiceByField } from "./choice.js"
import { verbatimObject } from "./verbatim-object.js"

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

export const blocksSchema = z.array(contentSchema)
export const textOrBlocks = stringOr(blocksSchema)
/** The content that extensions may add to the context: text and images. */
export const textOrShownBlocks = stringOr(z.array(shownBlock))

function stringOr<Blocks extends z.core.$ZodType>(blocks: Blocks) {
  const text = z.string()
  return choice([text, blocks], (value) => (typeof value === "string" ? text : blocks))
}
