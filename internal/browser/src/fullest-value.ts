interface Schema {
  readonly _zod: { readonly def: object }
}

interface Definition {
  readonly type: string
  readonly innerType: Schema
  readonly shape: Readonly<Record<string, Schema>>
  readonly element: Schema
  readonly options: readonly Schema[]
  readonly values: readonly unknown[]
  readonly entries: Readonly<Record<string, unknown>>
}

/**
 * A value that fits a schema and leaves nothing out: every optional field is there, and a list has an item of each kind. Every
 * string is `text`; records and unknown values also have it as a key.
 */
export function fullestValue(schema: Schema, text: string): unknown {
  const def = definitionOf(schema)
  switch (def.type) {
    case "optional":
    case "nullable":
      return fullestValue(def.innerType, text)
    case "object":
      return Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, fullestValue(field, text)]))
    case "array":
      return optionsOf(def.element).map((option) => fullestValue(option, text))
    case "union":
      // Of content, the blocks: they hold texts as well. Of messages, one that no program knows.
      return fullestValue(def.options.at(-1) as Schema, text)
    case "record":
    case "unknown":
      return { [text]: text }
    case "string":
      return text
    case "literal":
      return def.values[0]
    case "enum":
      return Object.values(def.entries)[0]
    case "number":
      return 1
    case "boolean":
      return false
    default:
      throw new TypeError(`No value can be made for a schema of the type ${def.type}.`)
  }
}

function optionsOf(schema: Schema): readonly Schema[] {
  const def = definitionOf(schema)
  return def.type === "union" ? def.options : [schema]
}

function definitionOf(schema: Schema): Definition {
  return schema._zod.def as Definition
}
