import type { SessionContext } from "../context/build-context.js"
import { restoreMessages } from "../persist/restore-messages.js"
import type { BlobStore } from "../ports/blob-store.js"

/** The context with images and long texts put back; without a blob store as it is. */
export async function restoredContext(context: SessionContext, blobs: BlobStore | undefined): Promise<SessionContext> {
  if (!blobs) return context
  const { messages, diagnostics } = await restoreMessages(context.messages, blobs, context.entries)
  return { ...context, messages, diagnostics: [...context.diagnostics, ...diagnostics] }
}
