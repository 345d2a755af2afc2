import { listSessions } from "@treelog/session-core/adapter"
import { numberText } from "@treelog-internal/text"
import type { CommandContext } from "../../io/command-context.js"
import { commandLine } from "../../render/shell-command.js"
import { chosenStore, isStoreNamed } from "../../sessions/chosen-store.js"
import { openNamedStore } from "../../sessions/open-named-store.js"
import { programStores } from "../../sessions/program-stores.js"
import { ofScope, projectsOf, type Scope, scopeOf } from "../../sessions/scope.js"

/** A sentence for an empty list, with where there is something: in other stores, where one was named, or in other folders. */
export async function nothingListed(context: CommandContext, scope: Scope): Promise<string> {
  const { all } = context.options
  const hints = (isStoreNamed(context) ? await elsewhere(context) : []).map(({ program, count }) => {
    const command = commandLine(["list", ...(all ? ["--all"] : [])], { store: program })
    return `${program} has ${numberText(count)} here: ${command}`
  })
  const wider = all || hints.length > 0 ? [] : ["--all searches every folder"]
  return `${[`There is no session${ofScope(scope)}`, ...hints, ...wider].join("; ")}.`
}

/** Other stores of this machine that have sessions of the scope, and how many. */
async function elsewhere(context: CommandContext): Promise<{ readonly program: string; readonly count: number }[]> {
  const counts: { program: string; count: number }[] = []
  for (const { program, context: own } of await programStores(context)) {
    if (program === undefined || program === context.options.store) continue
    const store = await openNamedStore(own, chosenStore(own).name)
    const { cwd, project } = scopeOf(own, projectsOf(store))
    let count = 0
    for await (const { error } of listSessions(store.storage, cwd, { project, signal: own.io.interrupted }))
      if (!error) count += 1
    if (count > 0) counts.push({ program, count })
  }
  return counts
}
