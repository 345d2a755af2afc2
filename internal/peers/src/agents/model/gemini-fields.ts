import { type KnownFields, plain } from "../frame/unknown-fields.js"

const MEDIA = plain("data", "mimeType", "displayName", "fileUri")

/** A part of a content of Gemini's API, as programs store it. */
export const PART = {
  ...plain("text", "thought", "thoughtSignature"),
  ...{ inlineData: MEDIA, fileData: MEDIA },
  functionCall: { ...plain("id", "name"), args: true },
  functionResponse: { ...plain("id", "name"), response: true, parts: { inlineData: MEDIA, fileData: MEDIA } },
} as const satisfies KnownFields
