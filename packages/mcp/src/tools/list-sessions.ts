import type { McpServer } from "@modelcontextprotocol/server"
import type { SessionInfo } from "@treelog/session-core"
import { listedCostText, plural } from "@treelog-internal/text"
import { z } from "zod"
import { filterInputs, filtersIn } from "../filter-inputs.js"
import { quoted } from "../quote.js"
import type { Scope } from "../scope.js"
import { answer, answered, READ_ONLY } from "../tool-answer.js"

export function registerListSessions(server: McpServer, scope: Scope): void {
  const inputSchema = z.object({
    ...filterInputs(),
    limit: z.number().int().min(1).max(200).default(20).describe("At most so many, the newest first."),
  })
  const description =
    "Lists past sessions, the newest first: id, time, folder, number of messages, cost (~ estimated, – not known), name or first message."
  server.registerTool(
    "list_sessions",
    { title: "List past sessions", description, inputSchema, annotations: READ_ONLY },
    ({ limit, ...given }, { mcpReq }) =>
      answered(scope, async () => {
        const infos: SessionInfo[] = []
        let isMore = false
        const onMore = (): void => {
          isMore = true
        }
        const options = { limit, signal: mcpReq.signal, onMore }
        for await (const info of scope.sessions.list({ scope: scope.cwd, ...filtersIn(given) }, options))
          infos.push(info)
        if (infos.length === 0) return answer(await scope.emptiness(mcpReq.signal))
        const lines = await Promise.all(infos.map((info) => lineOf(info, scope)))
        const count = `${isMore ? "The newest " : ""}${plural(infos.length, "session")}`
        return answer(`${count}.\n${quoted(scope, lines.join("\n"))}${await scope.elsewhere(mcpReq.signal)}`)
      }),
  )
}

async function lineOf(info: SessionInfo, scope: Scope): Promise<string> {
  const { id, modified, cwd, agent, messageCount, name, firstMessage, error } = info
  const when = modified === 0 ? "without a time" : new Date(modified).toISOString().slice(0, 16)
  const title = error ? `cannot be read: ${error.code}` : scope.shortTitle(name ?? firstMessage)
  const count = error || messageCount === undefined ? "" : ` ${plural(messageCount, "message")}`
  const cost = listedCostText(info, scope.prices?.at())
  const by = agent === undefined ? "" : ` ${scope.label(agent)}`
  return `- ${scope.label(id)} ${when} ${scope.label(cwd)}${by}${count}${cost && ` ${cost}`}: ${title}`
}
