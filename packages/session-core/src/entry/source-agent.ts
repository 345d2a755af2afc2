import { isJsonObject } from "./values.js"

/** The agent that made a session, where its header says one: that of a copy, and of what was converted. */
export function sourceAgent(header: object): string | undefined {
  return sourceText(header, "agent")
}

/** The person who bundled a session, where its header says one. */
export function sourcePerson(header: object): string | undefined {
  return sourceText(header, "person")
}

function sourceText(header: object, name: "agent" | "person"): string | undefined {
  const source = "source" in header ? header.source : undefined
  const text = isJsonObject(source) ? source[name] : undefined
  return typeof text === "string" && text !== "" ? text : undefined
}
