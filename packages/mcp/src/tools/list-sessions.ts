import type { McpServer } from "@modelcontextprotocol/server"
import type { SessionInfo } from "@treelog/session-core"
import { listedCostText, plural } from "@treelog-internal/text"
import { z } from "zod"
import { filterInputs, filtersIn } from "../filter-inputs.js"
import { quoted } from "../quote.js"
import type { Scope } from "../scope.js"
import { answer, answered, READ_ONLY, tokensInput } from "../tool-answer.js"
import { unitsOf } from "../within-budget.js"

export function registerListSessions(server: McpServer, scope: Scope): void {
  const inputSchema = z.object({
    ...filterInputs(),
    limit: z.number().int().min(1).max(200).default(20).describe("At most so many, the newest first."),
    tokens: tokensInput(),
  })
  const description =
    "Lists past sessions, the newest first: id, time, folder, number of messages, cost (~ estimated, – not known), name or first message."
  server.registerTool(
    "list_sessions",
    { title: "List past sessions", description, inputSchema, annotations: READ_ONLY },
    ({ limit, tokens, ...given }, { mcpReq }) =>
      answered(scope, async () => {
        const infos: SessionInfo[] = []
        let isMore = false
        const onMore = (): void => {
          isMore = true
        }
        const asking = await scope.asking(mcpReq._meta, mcpReq.signal)
        // One more for each that asks.
        const options = { limit: limit + 2, signal: mcpReq.signal, onMore }
        for await (const info of scope.sessions.list({ scope: scope.cwd, ...filtersIn(given) }, options))
          if (info.id !== asking.named && info.id !== asking.newest) infos.push(info)
        const leftOut = scope.leftOut(asking)
        if (infos.length === 0)
          return answer(`${(await scope.emptiness(mcpReq.signal)) || "There is no other session."}${leftOut}`)
        const lines: string[] = []
        let left = unitsOf(tokens)
        for (const info of infos.slice(0, limit)) {
          const line = await lineOf(info, scope)
          left -= line.length + 1
          if (left < 0 && lines.length > 0) break
          lines.push(line)
        }
        const count = `${isMore || lines.length < infos.length ? "The newest " : ""}${plural(lines.length, "session")}`
        return answer(`${count}.\n${quoted(scope, lines.join("\n"))}${leftOut}${await scope.elsewhere(mcpReq.signal)}`)
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
