import { type LiveListOptions, type LiveSession, listLive, type SessionQuery } from "@treelog/stores"
import type { CommandContext } from "../io/command-context.js"
import type { CommandLibrary, CommandSource } from "./open-library.js"

/** The sessions that were written to lately, or that a process has, with what each does. */
export function liveSessions(
  { io }: CommandContext,
  library: CommandLibrary,
  query: SessionQuery,
  options: Pick<LiveListOptions, "limit" | "onMore"> = {},
): AsyncGenerator<LiveSession<CommandSource>> {
  // What a query says of times is more than that of the last day.
  const since = query.since === undefined && query.until === undefined ? undefined : 0
  return listLive(library, query, { ...options, surroundings: io, now: io.now(), since, signal: io.interrupted })
}
