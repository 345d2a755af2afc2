import * as z from "zod/mini"
import { $constructor } from "zod/v4/core"

/**
 * A loose object schema that parses to the input value itself. zod's own returns a new object, with the known keys first and without
 * `__proto__`, but the format promises to keep the order of keys.
 */
export function verbatimObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodMiniObject<z.core.util.Writeable<Shape>, z.core.$loose> {
  const schema: unknown = new VerbatimObject({ type: "object", shape, catchall: z.unknown() })
  return schema as z.ZodMiniObject<z.core.util.Writeable<Shape>, z.core.$loose>
}

// With an explicit type, which an assertion function such as `init` requires.
const LooseObject: z.core.$constructor<z.ZodMiniObject> = z.ZodMiniObject

const VerbatimObject = /*@__PURE__*/ $constructor<z.ZodMiniObject>("VerbatimObject", (schema, def) => {
  LooseObject.init(schema, def)
  const { parse } = schema._zod
  schema._zod.parse = (payload, context) => {
    const { value } = payload
    const asGiven = (parsed: z.core.ParsePayload) => Object.assign(parsed, { value })
    const parsed = parse(payload, context)
    return parsed instanceof Promise ? parsed.then(asGiven) : asGiven(parsed)
  }
})
