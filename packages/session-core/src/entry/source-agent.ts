import { isJsonObject } from "./values.js"

/** The agent that made a session, where its header says one: that of a copy, and of what was converted. */
export function sourceAgent({ source }: { readonly source?: unknown }): string | undefined {
  return isJsonObject(source) && typeof source.agent === "string" && source.agent !== "" ? source.agent : undefined
}
