import * as z from "zod/mini"
import { $constructor } from "zod/v4/core"

/**
 * A loose object whose parsing gives back the very value that it was given. zod's own builds a new one, with the known keys
 * in front and without `__proto__`: for a format that promises key order, that is a loss.
 */
export function verbatimObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodMiniObject<z.core.util.Writeable<Shape>, z.core.$loose> {
  const schema: unknown = new VerbatimObject({ type: "object", shape, catchall: z.unknown() })
  return schema as z.ZodMiniObject<z.core.util.Writeable<Shape>, z.core.$loose>
}

// Named with its type, which an assertion such as `init` asks for.
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
