import { type AgentDefinition, isObject, objectsIn, sessionFiles, without } from "../kit.js"
import { GeminiConverter } from "./convert.js"
import { gemini } from "./place.js"

export const agent: AgentDefinition = {
  place: gemini,
  conversionVersion: 1,
  store: (options) =>
    sessionFiles(options, {
      paths: ["tmp/*/chats/session-*.jsonl", "tmp/*/chats/session-*.json"],
      idOf: () => undefined,
      // As older versions wrote them: what the first line has, and all messages.
      recordsOf: (document) =>
        isObject(document) ? [without(document, ["messages"]), ...objectsIn(document.messages)] : [],
    }),
  converter: (session) => new GeminiConverter(session),
}
