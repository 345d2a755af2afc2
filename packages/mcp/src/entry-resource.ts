import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server"
import { TreelogError } from "@treelog/session-core"
import { entryLines } from "./entry-lines.js"
import { quoted } from "./quote.js"
import { entryUri, type Scope } from "./scope.js"

/** The whole text of one entry, as search results link to it. */
export function registerEntryResource(server: McpServer, scope: Scope): void {
  const template = new ResourceTemplate("treelog://session/{session}/entry/{entry}", { list: undefined })
  const description = "The text of an entry of a past session."
  server.registerResource(
    "entry",
    template,
    { title: "Entry", description, mimeType: "text/plain" },
    async (uri, names) => {
      const [sessionId, entryId] = [textIn(names.session), textIn(names.entry)]
      const session = await scope.open(sessionId)
      try {
        const entry = session.getEntry(entryId)
        if (!entry) {
          const message = `${entryUri(sessionId, entryId)} names no entry of its session.`
          throw new TreelogError("EntryNotFoundError", message, { id: entryId })
        }
        return {
          contents: [{ uri: uri.href, mimeType: "text/plain", text: await quoted(scope, entryLines(entry).text) }],
        }
      } finally {
        await session.close()
      }
    },
  )
}

function textIn(value: string | string[] | undefined): string {
  return decodeURIComponent(typeof value === "string" ? value : (value?.[0] ?? ""))
}
