import { isJsonObject } from "./values.js"

/** The agent that made a session, where its header says one: that of a copy, and of what was converted. */
export function sourceAgent(header: object): string | undefined {
  const source = "source" in header ? header.source : undefined
  return isJsonObject(source) && typeof source.agent === "string" && source.agent !== "" ? source.agent : undefined
}
