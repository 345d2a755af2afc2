import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { pathToFileURL } from "node:url"
import type { AgentDefinition } from "@treelog/agents/kit"
import { KIT_VERSION } from "@treelog/agents/places"
import { TreelogError } from "@treelog/session-core"
import { isErrno, toStorageError } from "@treelog-internal/fs"
import { agentsOf, isStoreName } from "./programs.js"
import type { PlugInFault, PlugIns } from "./surroundings.js"

/**
 * Runs the files, each of which exports as `agent` what `defineAgent` of `@treelog/agents/kit` returns. One that cannot be used keeps none of
 * the others from being read.
 * @param paths absolute
 */
export async function loadPlugIns(paths: readonly string[]): Promise<PlugIns> {
  const definitions: AgentDefinition[] = []
  const faults: PlugInFault[] = []
  for (const path of paths)
    try {
      const definition = await definitionIn(path)
      assertNewName(definition.place.name, definitions, path)
      definitions.push(definition)
    } catch (error) {
      if (!(error instanceof TreelogError)) throw error
      faults.push({ path, error })
    }
  return { definitions, faults }
}

/** Sessions are converted again when the file changes: its author need not count versions while writing it. */
async function definitionIn(path: string): Promise<AgentDefinition> {
  const source = await readFile(path).catch((error: unknown) => {
    if (isErrno(error, "ENOENT", "ENOTDIR")) throw unusable(path, "there is no such file", error)
    throw toStorageError(error, path, "read")
  })
  const { agent } = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw unusable(path, `it cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, error)
  })
  const reason = definitionFault(agent)
  if (reason !== undefined) throw unusable(path, reason)
  const definition: AgentDefinition = agent
  const digest = createHash("sha256").update(source).digest().readUInt32BE()
  return { ...definition, conversionVersion: (definition.conversionVersion ?? 0) + digest }
}

/** What keeps a value from being a definition; undefined for one. */
function definitionFault(agent: Partial<AgentDefinition> | undefined): string | undefined {
  if (agent?.kit === undefined)
    return "it exports no `agent` that `defineAgent` of @treelog/agents/kit made: see docs/agents.md of treelog"
  if (agent.kit !== KIT_VERSION)
    return `it is made with version ${agent.kit} of the kit, and this treelog reads version ${KIT_VERSION}: install the @treelog/agents of this treelog beside it`
  const { place, conversionVersion = 0, store, converter } = agent
  if (!/^[a-z0-9][a-z0-9-]*$/.test(place?.name ?? ""))
    return `\`place.name\` has to be small letters, digits and dashes, and is ${JSON.stringify(place?.name)}`
  if (!place?.folders?.length || !place.sessions) return "its `place` has no `folders`, or no `sessions`"
  if (!Number.isSafeInteger(conversionVersion)) return "its `conversionVersion` is no whole number"
  return typeof store === "function" && typeof converter === "function"
    ? undefined
    : "`store` and `converter` have to be functions"
}

function assertNewName(name: string, definitions: readonly AgentDefinition[], path: string): void {
  if (name === "all" || isStoreName({}, name))
    throw unusable(path, `treelog has a store ${name} already: name the agent otherwise`)
  if (agentsOf({ plugIns: { definitions, faults: [] } }).includes(name))
    throw unusable(path, `another file defines an agent ${name}, too: remove one of them from the setting`)
}

function unusable(path: string, reason: string, cause?: unknown): TreelogError<"InvalidArgumentError"> {
  const message = `The agent in ${path} cannot be used: ${reason}. \`treelog config set agents\` names other files.`
  return new TreelogError("InvalidArgumentError", message, { argument: "agents", value: path }, { cause })
}
