import { type ContextShare, contextUse } from "@treelog/session-core/compaction"
import { FILTER_NAMES } from "@treelog/session-core/search"
import { contextShareText, numberText, plural, tokensText } from "@treelog-internal/text"
import { EXIT, type ExitCode, UsageError } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { type Column, tableLines } from "../../render/table.js"
import { findToRead, logNewest } from "../../sessions/find-session.js"
import { openFound, sessionFields } from "../../sessions/open-to-read-or-write.js"
import type { StatsOptions } from "./stats-options.js"

/** Estimates what fills the context of a session: prompts, thinking, the results of each tool, and what compactions freed. */
export async function printContextUse(
  context: CommandContext,
  ref: string | undefined,
  { since, until, csv, disk, files, ...options }: StatsOptions,
): Promise<ExitCode> {
  if (
    [since, until, csv, disk, files, ...FILTER_NAMES.map((name) => options[name])].some(
      (option) => option !== undefined,
    )
  )
    throw new UsageError(
      "--by tool is of the context of one session: it cannot be combined with other options of stats.",
    )
  const found = await findToRead(context, ref)
  await logNewest(context, ref, found.key)
  const session = await openFound(context, found)
  const { messages } = await session.readContext()
  const shares = contextUse(session.getBranch(), messages)
  const sum = (of: (share: ContextShare) => number): number => shares.reduce((total, share) => total + of(share), 0)
  const [tokens, freed] = [sum((share) => share.tokens), sum((share) => share.freed)]
  if (context.options.json) {
    await context.printJson({ ...sessionFields(session), by: "tool", rows: shares, total: { tokens, freed } })
    return EXIT.ok
  }
  if (shares.length === 0) {
    await context.log("The context is empty.")
    return EXIT.ok
  }
  await context.print(tableLines(columnsOf(tokens, shares), shares, context.style))
  const more = freed > 0 ? `; ${tokensText(freed)} more of its branch are left out` : ""
  const note = `About ${tokensText(tokens)} tokens in ${plural(messages.length, "message")}, by 4 characters a token${more}.`
  await context.print(["", context.style.paint("dim", note)])
  return EXIT.ok
}

function columnsOf(tokens: number, shares: readonly ContextShare[]): Column<ContextShare>[] {
  const column = (title: string, of: (share: ContextShare) => number): Column<ContextShare> => {
    return { title, cell: (share) => (of(share) === 0 ? "" : tokensText(of(share))), align: "right" }
  }
  const columns: Column<ContextShare>[] = [
    { title: "in the context", cell: contextShareText, most: 40 },
    { title: "count", cell: ({ count }) => numberText(count), align: "right" },
    column("tokens", (share) => share.tokens),
    { title: "share", cell: (share) => `${Math.round((100 * share.tokens) / Math.max(1, tokens))}%`, align: "right" },
  ]
  if (shares.some(({ repeated }) => repeated > 0)) columns.push(column("read again", ({ repeated }) => repeated))
  if (shares.some(({ freed }) => freed > 0)) columns.push(column("left out", ({ freed }) => freed))
  return columns
}
