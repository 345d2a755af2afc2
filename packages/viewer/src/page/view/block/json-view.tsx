import { jsonText } from "@treelog/session-core/json"
import type { JSX } from "preact"
import type { PartProps } from "./fold.js"
import { LongText } from "./long-text.js"

/** The most characters to show. */
const MOST = 300_000

export function JsonView({ ordinal, part, value }: PartProps & { readonly value: unknown }): JSX.Element {
  const json = jsonText(value, "indented") ?? String(value)
  const text = json.length > MOST ? `${json.slice(0, MOST)}\n…` : json
  return <LongText ordinal={ordinal} part={part} text={text} language="json" />
}
