import { type AgentDefinition, isObject, objectsIn, sessionFiles, without } from "../kit.js"
import { GeminiConverter } from "./convert.js"
import { gemini } from "./place.js"

export const agent: AgentDefinition = {
  place: gemini,
  conversionVersion: 5,
  store: (options) =>
    sessionFiles(options, {
      paths: ["tmp/*/chats/session-*.jsonl", "tmp/*/chats/session-*.json", "tmp/*/chats/*/*.jsonl"],
      idOf: ([, , subAgent]) => subAgent,
      // The name of the file of a session ends with the start of its id.
      partOf: ([project, session = "", subAgent]) =>
        subAgent === undefined
          ? undefined
          : { of: `tmp/${project}/chats/session-*-${session.slice(0, 8)}.json*`, role: "subagent" },
      // As older versions wrote them: what the first line has, and all messages.
      recordsOf: (document) =>
        isObject(document) ? [without(document, ["messages"]), ...objectsIn(document.messages)] : [],
    }),
  converter: (session) => new GeminiConverter(session),
}
