import * as z from "zod/mini"
import { $constructor } from "zod/v4/core"
import { isJsonObject } from "../entry/values.js"

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

/**
 * A union that selects the option for a value, so that an issue names the wrong field instead of reporting that no option
 * matches.
 */
export function choice<const Options extends readonly z.core.$ZodType[]>(
  options: Options,
  choose: (value: unknown) => Options[number],
): z.ZodMiniUnion<Options> {
  const schema: unknown = new Choice({ type: "union", options, choose })
  return schema as z.ZodMiniUnion<Options>
}

/** A union that selects the schema by a field of the value; `other` for unknown names. */
export function choiceByField<Schemas extends Record<string, z.core.$ZodType>, Other extends z.core.$ZodType>(
  field: string,
  schemas: Schemas,
  other: Other,
): z.ZodMiniUnion<readonly (Schemas[keyof Schemas] | Other)[]> {
  const options: readonly (Schemas[keyof Schemas] | Other)[] = [...(Object.values(schemas) as never[]), other]
  return choice(options, (value) => {
    const name = isJsonObject(value) ? value[field] : undefined
    return typeof name === "string" && Object.hasOwn(schemas, name) ? (schemas[name] as Schemas[keyof Schemas]) : other
  })
}

interface ChoiceDef extends z.core.$ZodUnionDef {
  readonly choose: (value: unknown) => z.core.$ZodType
}

// With an explicit type, which an assertion function such as `init` requires.
const Union: z.core.$constructor<z.ZodMiniUnion> = z.ZodMiniUnion

const Choice = /*@__PURE__*/ $constructor<z.ZodMiniUnion, ChoiceDef>("Choice", (schema, def) => {
  Union.init(schema, def)
  schema._zod.parse = (payload, context) => def.choose(payload.value)._zod.run(payload, context)
})
