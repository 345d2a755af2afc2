import type { McpServer } from "@modelcontextprotocol/server"
import { isPeriod, QUERY_VALUES, type SumRow, timeSpan, type UsageQuery } from "@treelog/session-core/search"
import { costNotes, costText, numberText, plural } from "@treelog-internal/text"
import { z } from "zod"
import { filterInputs, filtersIn } from "../filter-inputs.js"
import { quoted } from "../quote.js"
import type { Scope } from "../scope.js"
import { answer, answered, READ_ONLY } from "../tool-answer.js"

/** So many rows an answer has. */
const MOST = 200

export function registerSessionStats(server: McpServer, scope: Scope): void {
  const inputSchema = z.object({
    by: z.enum(QUERY_VALUES.by).exclude(["person", "role"]).default("total"),
    since: z.string().optional().describe("30d, 2026-11-01, yesterday, last week"),
    until: z.string().optional(),
    ...filterInputs(),
    session: z.string().optional().describe("The id of a session, or its beginning."),
  })
  const description =
    "Sums up tokens and cost of past sessions: in total, or by day, week, month, project, agent, model or session."
  server.registerTool(
    "session_stats",
    { title: "Tokens and cost of past sessions", description, inputSchema, annotations: READ_ONLY },
    ({ by, since, until, session, ...given }, { mcpReq }) =>
      answered(scope, async () => {
        const missing = await scope.update(mcpReq.signal)
        const query = {
          scope: scope.cwd,
          ...(since !== undefined && { since: timeSpan(since, scope.now()).from }),
          ...(until !== undefined && { until: timeSpan(until, scope.now()).to }),
          ...filtersIn(given),
          ...(session !== undefined && { session }),
        }
        const sums = await scope.sessions.usage(query, [by], scope)
        const rows = sums.rows(by)
        if (rows.length === 0)
          return answer(`${(await scope.emptiness(mcpReq.signal)) || "No usage was reported."}${missing}`)
        const all = rows.map((row) => rowLine(row, by, scope))
        // Times come in their order, everything else the dearest first.
        const lines = isPeriod(by) ? all.slice(-MOST) : all.slice(0, MOST)
        const { unpriced, free, ...cost } = sums.total.cost
        const labels = (models: readonly string[]): string[] => models.map((model) => scope.label(model))
        const notes = costNotes({
          ...cost,
          unpriced: { ...unpriced, models: labels(unpriced.models) },
          free: labels(free),
        })
        const count =
          rows.length > MOST
            ? `The ${isPeriod(by) ? "last" : "first"} ${MOST} of ${rows.length} rows: ask for a shorter time.\n`
            : ""
        const quote = quoted(scope, [...lines, ...notes].join("\n"))
        return answer(`${count}${quote}${missing}${await scope.elsewhere(mcpReq.signal)}`)
      }),
  )
}

function rowLine({ key, session, totals, cost }: SumRow, by: NonNullable<UsageQuery["by"]>, scope: Scope): string {
  const { calls, input, output, cacheRead, cacheWrite } = totals
  const parts = [
    plural(calls, "call"),
    `${numberText(input)} input`,
    `${numberText(output)} output`,
    `${numberText(cacheRead)} cache read`,
    `${numberText(cacheWrite)} cache write`,
    costText(cost),
  ]
  return `- ${scope.label(session?.id ?? (key !== "" ? key : isPeriod(by) ? "without a time" : `no ${by}`))}: ${parts.join(", ")}`
}
