import type { McpServer } from "@modelcontextprotocol/server"
import { isEntry, messageText, type Session, TreelogError } from "@treelog/session-core"
import { z } from "zod"
import { type EntryLines, entryText, messageLines } from "../entry-lines.js"
import { quoted } from "../quote.js"
import type { Scope } from "../scope.js"
import { answer, answered, READ_ONLY, tokensInput } from "../tool-answer.js"
import { aroundWithin, type Part } from "../within-budget.js"

export function registerReadSession(server: McpServer, scope: Scope): void {
  const inputSchema = z.object({
    session: z.string().describe("The full id of the session."),
    entry: z.string().optional().describe("Show what stands around this entry. Default: the end of the session."),
    form: z
      .enum(["transcript", "context"])
      .default("transcript")
      .describe(
        "transcript: everything on the branch. context: what the model would see, with summaries in place of what was compacted.",
      ),
    tokens: tokensInput(),
  })
  const description =
    "Reads a part of a past session: around an entry that search_sessions found, or its end. Says which entries come before and after, to read on."
  server.registerTool(
    "read_session",
    { title: "Read a past session", description, inputSchema, annotations: READ_ONLY },
    ({ session: id, entry, form, tokens }) =>
      answered(scope, async () => {
        const session = await scope.open(id, entry)
        try {
          const lines = form === "context" ? contextOf(session) : transcriptOf(session, entry)
          const at = entry === undefined ? lines.length - 1 : indexOfEntry(lines, entry, form)
          const title = scope.heading(session.getSessionName() ?? firstPrompt(session), { id, cwd: session.getCwd() })
          const { redact } = scope
          const part = aroundWithin(lines, at, { tokens, used: title.length, redact })
          return answer(quoted(scope, `# ${title}\n${part.text}${onward(part, scope)}`))
        } finally {
          await session.close()
        }
      }),
  )
}

/** What its user said first; empty where that is nothing. */
function firstPrompt(session: Session): string {
  for (const entry of session.iterateEntries())
    if (isEntry(entry, "message") && entry.message.role === "user") {
      const text = messageText(entry.message)
      if (text.trim() !== "") return text
    }
  return ""
}

/** The branch of the entry: the current one, if it is on that. Only what is asked for of it is in memory. */
function transcriptOf(session: Session, entryId: string | undefined): EntryLines[] {
  const branch = idsOfBranch(session)
  const ids = entryId === undefined || branch.includes(entryId) ? branch : idsOfBranch(session, entryId)
  return ids.map((id) => ({
    id,
    get text() {
      const entry = session.getEntry(id)
      return entry ? entryText(entry) : ""
    },
  }))
}

function idsOfBranch(session: Session, leafId?: string): string[] {
  const ids: string[] = []
  for (const { entry } of session.iterateTranscript(leafId)) ids.push(entry.id)
  return ids
}

function contextOf(session: Session): EntryLines[] {
  return session.buildSessionContext().messages.map(messageLines)
}

/** @throws EntryNotFoundError */
function indexOfEntry(lines: readonly EntryLines[], entryId: string, form: "transcript" | "context"): number {
  const at = lines.findIndex(({ id }) => id === entryId)
  if (at !== -1) return at
  const advice =
    form === "context" ? "read the transcript, or leave out the entry" : "use one that search_sessions gave"
  const message = `The ${form} has no entry ${JSON.stringify(entryId)}: ${advice}.`
  throw new TreelogError("EntryNotFoundError", message, { id: entryId })
}

/** Within the quote, since ids come from files of any origin. */
function onward({ before, after }: Part, scope: Scope): string {
  const parts = [
    ...(before === undefined ? [] : [`earlier: entry ${scope.label(before)}`]),
    ...(after === undefined ? [] : [`later: entry ${scope.label(after)}`]),
  ]
  return parts.length === 0 ? "" : `\n\nThere is more, ${parts.join("; ")}.`
}
