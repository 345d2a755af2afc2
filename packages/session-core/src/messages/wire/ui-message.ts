// The form of messages in user interfaces made with the Vercel AI SDK, and what a session keeps of it.

/** A `UIMessage` of the Vercel AI SDK, versions 6 and 7, as far as it is read here: the SDK's own type, with any parts, is one. */
export interface UIMessageLike {
  readonly id: string
  readonly role: "system" | "user" | "assistant"
  readonly metadata?: unknown
  readonly parts: readonly { readonly type: string }[]
}

/** A `UIMessage` of the Vercel AI SDK, versions 6 and 7. */
export interface UIMessage {
  id: string
  role: "system" | "user" | "assistant"
  metadata?: unknown
  parts: UIMessagePart[]
}

/** A part of a `UIMessage`. Parts of the types that are listed are made of messages; those of other types come from `fromUIMessages`. */
export type UIMessagePart =
  | { type: "text"; text: string; providerMetadata?: Record<string, Record<string, string>> }
  | { type: "reasoning"; text: string; providerMetadata?: Record<string, Record<string, string>> }
  | { type: "file"; mediaType: string; url: string }
  | { type: "step-start" }
  | UIToolPart

/** A tool call with its result, if there is one. */
export type UIToolPart = {
  type: `tool-${string}`
  toolCallId: string
  input: unknown
  callProviderMetadata?: Record<string, Record<string, string>>
} & (
  | { state: "input-available" }
  | { state: "output-available"; output: unknown }
  | { state: "output-error"; errorText: string }
)

/** The type of a block that holds a part of a `UIMessage` for which the format has none, such as `data-weather`. */
export const UI_PART = "uiPart"

/**
 * The field of a message, block or `details` that holds what the format has no place for, so that the same `UIMessage` can be made
 * of it again (FORMAT.md, section 2).
 */
export const UI = "ui"
