import { Look, type UnreadFiles, unreadFiles, unreadPrograms } from "@treelog/stores"
import { cleanLine } from "@treelog-internal/text"
import { faultOf } from "../errors/error-report.js"
import type { CommandContext } from "../io/command-context.js"
import { chosenStore, isStoreNamed, lookForStores } from "./chosen-store.js"

/** Says on stderr what the agents of the stores that are meant have on this machine and treelog does not read. */
export async function logUnread(context: CommandContext): Promise<void> {
  const { name } = isStoreNamed(context) ? chosenStore(context) : {}
  if (name && name.kind !== "agent") return
  const log = ({ path, why, store }: UnreadFiles): void =>
    context.warn({ code: "UnreadFiles", data: { store, path } }, `Not read: ${cleanLine(path)} (${why}).`)
  const logFault = (error: unknown): void => {
    const { code, message } = faultOf(error)
    context.warn({ code, data: {} }, message)
  }
  const named = name && { look: new Look(context.io), places: [{ agent: name }] }
  const { look, places } = named ?? (await lookForStores(context))
  for (const { agent } of places)
    try {
      for (const found of agent ? await unreadFiles(context.io, [agent], look) : []) log(found)
    } catch (error) {
      logFault(error)
    }
  if (!name) for (const found of await unreadPrograms(context.io, (_, error) => logFault(error))) log(found)
}
