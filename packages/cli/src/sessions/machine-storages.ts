import type { SessionStorage } from "@treelog/session-core"
import type { CommandContext } from "../io/command-context.js"
import { chosenStore } from "./chosen-store.js"
import { openNamedStore } from "./open-named-store.js"
import { meantStores, openEach } from "./program-stores.js"

/** The storages of all programs on this machine, whatever store a command is for: what comes from elsewhere may claim an id of theirs. */
export async function machineStorages(context: CommandContext): Promise<SessionStorage[]> {
  const { store: _, agentDir: __, sessionDir: ___, ...options } = context.options
  const everywhere = context.with(options)
  return openEach(everywhere, await meantStores(everywhere, true), async ({ context: own }) => {
    const { storage } = await openNamedStore(own, chosenStore(own).name)
    return storage
  })
}
