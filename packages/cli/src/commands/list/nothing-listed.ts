import { FILTER_NAMES, type FilterValues } from "@treelog/session-core/search"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { placesOf } from "../../sessions/open-library.js"
import type { Times } from "../../sessions/time-options.js"
import { isStoreNamed, storeSource } from "../../store/chosen-store.js"
import { cwdIn } from "../../store/scope.js"

/** A store in which nothing was found. */
interface LookedIn {
  /** Whose store it is. */
  readonly program: string | undefined
  readonly address: string
}

/** Says on stderr that there is no session to list, where they were looked for, and where else there may be some. */
export async function nothingListed(
  context: CommandContext,
  stores: readonly LookedIn[],
  { since, until, ...filters }: Times & FilterValues = {},
  isLive = false,
): Promise<ExitCode> {
  const { all, agentDir, sessionDir } = context.options
  const named =
    agentDir !== undefined ? "--agent-dir" : sessionDir !== undefined ? "--session-dir" : storeSource(context)
  const hints = [
    all ? "" : "--all looks in every folder",
    isStoreNamed(context) ? `without ${named}, those of all agents are listed` : "",
  ].filter(Boolean)
  const isTimed = since !== undefined || until !== undefined
  const lately = isLive ? " that a process has, or that was written to in the last day," : ""
  const when = isTimed ? " of that time" : lately
  const given = FILTER_NAMES.flatMap((name) =>
    filters[name] === undefined ? [] : `${name} ${JSON.stringify(filters[name])}`,
  )
  const whose = given.length === 0 ? "" : ` with the ${given.join(" and the ")}`
  const scope = all ? "" : ` of ${cwdIn(context)}`
  const where = stores.length === 0 ? ": no agent has a store on this machine" : ` in ${placesOf(stores)}`
  const sentence = `${[`There is no session${whose}${when}${scope}${where}`, ...(stores.length === 0 ? [] : hints)].join("; ")}.`
  const data = { stores: stores.map(({ address }) => address), ...(!all && { cwd: cwdIn(context) }) }
  context.warn({ code: "NothingExamined", data }, sentence)
  return EXIT.nothing
}
