import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server"
import { isTreelogError, type SessionEntry, TreelogError } from "@treelog/session-core"
import { entryText } from "./entry-lines.js"
import { quoted } from "./quote.js"
import { entryUri, type Scope } from "./scope.js"
import { errorText } from "./tool-answer.js"
import { shortened } from "./within-budget.js"

/** UTF-16 units: as long as what `read_session` returns at most. */
const LONGEST = 400_000

/** The text of one entry, as search results link to it. */
export function registerEntryResource(server: McpServer, scope: Scope): void {
  const template = new ResourceTemplate("treelog://session/{session}/entry/{entry}", { list: undefined })
  const description = "The text of an entry of a past session."
  server.registerResource(
    "entry",
    template,
    { title: "Entry", description, mimeType: "text/plain" },
    async ({ href }, names) => {
      const [sessionId, entryId] = [requiredText(names.session, href), requiredText(names.entry, href)]
      try {
        const text = entryText(await readEntry(scope, sessionId, entryId))
        const shown = shortened(text, LONGEST, scope.redact)
        return { contents: [{ uri: href, mimeType: "text/plain", text: quoted(scope, shown) }] }
      } catch (error) {
        if (isTreelogError(error, "SessionNotFoundError") || isTreelogError(error, "EntryNotFoundError"))
          throw new ResourceNotFoundError(href, error.message)
        if (isTreelogError(error)) throw new ProtocolError(ProtocolErrorCode.InternalError, errorText(scope, error))
        throw error
      }
    },
  )
}

/** @throws SessionNotFoundError, EntryNotFoundError */
async function readEntry(scope: Scope, sessionId: string, entryId: string): Promise<SessionEntry> {
  const session = await scope.open(sessionId, entryId)
  try {
    const entry = session.getEntry(entryId)
    if (entry) return entry
    const message = `${entryUri(sessionId, entryId)} names no entry of its session: use a link that search_sessions gave.`
    throw new TreelogError("EntryNotFoundError", message, { id: entryId })
  } finally {
    await session.close()
  }
}

/** @throws ProtocolError for an escape of no character */
function requiredText(value: string | string[] | undefined, uri: string): string {
  try {
    return decodeURIComponent(typeof value === "string" ? value : (value?.[0] ?? ""))
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    const message = `${uri} is malformed: use a link that search_sessions gave, or write % as %25.`
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, { uri, reason: "invalid_uri" })
  }
}
