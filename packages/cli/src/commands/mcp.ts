import { serveOverStdio } from "@treelog/mcp"
import { SessionManager } from "@treelog/session-core"
import { JointIndex, JointStorage } from "@treelog/stores"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { openIndex } from "../search/open-index.js"
import { scopedStores } from "../sessions/every-store.js"
import { projectGroups } from "../sessions/scope.js"
import { openPrices } from "../stats/prices.js"

/**
 * Serves one agent over stdin and stdout, until it closes them: the sessions of every store that is meant. Nothing else is printed on stdout.
 * @param version what the server reports
 */
export async function mcp(context: CommandContext, version: string): Promise<ExitCode> {
  const stores = (await scopedStores(context)).stores.map(({ sessions, context: own }) => ({
    sessions,
    index: openIndex(own, sessions),
  }))
  const [first, ...rest] = stores
  if (!first) return EXIT.nothing
  const { scope, manager } = first.sessions
  const [sessions, index] =
    rest.length === 0
      ? [await manager(), first.index]
      : [
          new SessionManager({
            storage: new JointStorage([
              first.sessions.storage,
              ...rest.map((store) => store.sessions.storage),
            ]).withNewestCopies(),
            projectOf: first.sessions.projectOf,
          }),
          new JointIndex(stores.map((store) => store.index)),
        ]
  const price = (await openPrices(context.io)).at()
  await serveOverStdio(
    { sessions, index, cwd: scope.cwd, version, price, projectTitle: projectGroups(context) },
    context.io.interrupted,
  )
  return context.io.interrupted.aborted ? EXIT.interrupted : EXIT.ok
}
