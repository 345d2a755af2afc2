import type { SessionInfo } from "@treelog/session-core"
import type { CommandContext } from "../command-context.js"
import { composeSessions, type Sessions } from "../compose.js"
import { EXIT, type ExitCode } from "../exit-codes.js"
import { Progress } from "../progress.js"
import { plural } from "../render/plural.js"
import { sessionTable } from "../render/session-table.js"
import { shortIds } from "../render/short-ids.js"

export interface ListOptions {
  readonly limit?: number
}

/** Columns. */
const ROOMY = 100

export async function list(context: CommandContext, { limit }: ListOptions): Promise<ExitCode> {
  const { io, options, style } = context
  const sessions = composeSessions(context)
  if (options.json && limit === undefined) {
    for await (const info of found(context, sessions)) await context.printJson(info)
    return EXIT.ok
  }
  const newest: SessionInfo[] = []
  for await (const info of found(context, sessions)) newest.push(info)
  newest.sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1))
  const shown = newest.slice(0, limit)
  if (options.json) for (const info of shown) await context.printJson(info)
  else if (shown.length > 0) {
    const shortId = shortIds([...newest.map(({ id }) => id), ...(await storedIds(sessions))])
    const table = {
      style,
      now: io.now(),
      shortId,
      withCwd: options.all === true,
      withSize: hasRoomForSize(context),
      home: io.env.HOME,
    }
    await context.print(sessionTable(shown, table))
  } else
    await context.say(`There is no session${options.all ? "" : ` of ${sessions.cwd}; --all looks in every folder`}.`)
  return EXIT.ok
}

/** With the folders beside them, sizes would leave no room for the names on a narrow terminal. */
function hasRoomForSize({ options, style }: CommandContext): boolean {
  return !options.all || style.width === undefined || style.width >= ROOMY
}

async function* found(context: CommandContext, { manager, cwd }: Sessions): AsyncGenerator<SessionInfo> {
  const { io, options } = context
  const progress = new Progress(context)
  let looked = 0
  const settings = {
    signal: io.interrupted,
    onProgress: (count: number) => {
      looked = count
    },
  }
  for await (const info of options.all ? manager.listAll(settings) : manager.list(cwd, settings)) {
    if (!options.json) await progress.tell(`Looked at ${plural(looked, "session")}`)
    yield info
  }
  await progress.clear()
}

/** The ids in the whole store, as far as names tell them: what is shown of an id must fit no other session. */
async function storedIds({ storage }: Sessions): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of storage.list()) if (id !== undefined) ids.push(id)
  return ids
}
