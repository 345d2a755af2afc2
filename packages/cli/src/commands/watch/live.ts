import { jsonText } from "@treelog/session-core/json"
import type { LiveSession } from "@treelog/stores"
import { pause } from "@treelog-internal/fs"
import { cleanJson, cleanLine, timeAt } from "@treelog-internal/text"
import { EXIT, type ExitCode } from "../../errors/exit-codes.js"
import type { CommandContext } from "../../io/command-context.js"
import { liveText, paintOfLive } from "../../render/session-table.js"
import { shortSessionIds } from "../../render/short-ids.js"
import { titleText } from "../../render/table.js"
import { liveSessions } from "../../sessions/live-sessions.js"
import { type CommandSource, openScoped } from "../../sessions/open-library.js"

/** How often it looks, and how many times as long as that took it waits at least. Milliseconds. */
const [INTERVAL, PATIENCE] = [750, 9]

/** Prints what sessions do, and each change of that, until Ctrl-C. */
export async function watchLive(given: CommandContext): Promise<ExitCode> {
  const { context, library, scope } = await openScoped(given)
  const { interrupted } = context.io
  const known = new Map<string, string>()
  await context.log("Watching what sessions do; Ctrl-C ends.")
  while (!interrupted.aborted) {
    const started = performance.now()
    const changed: LiveSession<CommandSource>[] = []
    for await (const session of liveSessions(context, library, { scope })) {
      const key = `${session.source.name} ${session.path}`
      if (known.get(key) !== session.live.state) changed.push(session)
      known.set(key, session.live.state)
    }
    await printChanges(context, changed)
    await pause(Math.max(INTERVAL, (performance.now() - started) * PATIENCE), interrupted)
  }
  return EXIT.interrupted
}

/** The one that waits longest first. */
async function printChanges(context: CommandContext, changed: LiveSession<CommandSource>[]): Promise<void> {
  const { style, options, io } = context
  const short = shortSessionIds(new Set(changed.map(({ id }) => id)))
  for (const session of changed.sort((a, b) => a.live.since - b.live.since)) {
    const { path, id, cwd, live, name, firstMessage, source } = session
    const agent = session.agent ?? source.madeBy
    if (options.json) await context.print([cleanJson(jsonText({ v: 1, path, id, cwd, agent, live }))])
    else {
      const state = style.paint(paintOfLive(live), liveText(live, io.now()).padEnd(24))
      const title = titleText(name ?? firstMessage, style)
      await context.print([`${timeAt(io.now())}  ${state}  ${cleanLine(agent)} ${cleanLine(short.of(id))}  ${title}`])
    }
  }
}
