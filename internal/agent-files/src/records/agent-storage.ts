import { nodeFs, sessionsByVariables } from "@treelog-internal/fs"
import { includedDriver, type SqliteDriver } from "@treelog-internal/sqlite"
import { type AgentFolderOptions, type SourceDefinition, storageOptions } from "../agent-folder.js"
import { AgentSessionStorage } from "../agent-session-storage.js"
import type { AgentDefinition } from "./agent-definition.js"
import { recordSource } from "./record-source.js"

/** Options of the storage of an agent. */
export interface AgentOptions extends AgentFolderOptions {
  /** With `dir`: what has the sessions in there, such as another database. Default: as the agent names it. */
  readonly sessions?: string | undefined
  /** The driver of SQLite, for agents that use it. Default: the one that the runtime includes (Node 22.13 and newer, Bun). */
  readonly loadDriver?: (() => Promise<SqliteDriver | undefined>) | undefined
}

/** The sessions of an agent, where they are. */
export class RecordedAgentStorage extends AgentSessionStorage {}

/** Opens the sessions of an agent where they are. Touches no disk; what is done with it writes nothing in the agent's folder. */
export function openAgentStorage(
  definition: AgentDefinition | SourceDefinition<AgentOptions>,
  options: AgentOptions = {},
): RecordedAgentStorage {
  return new RecordedAgentStorage(storageOptions("source" in definition ? definition : ofRecords(definition), options))
}

/** An agent that is defined by its records. */
function ofRecords(definition: AgentDefinition): SourceDefinition<AgentOptions> {
  const { place } = definition
  return {
    place,
    source(folder, { dir, env = process.env, fs = nodeFs, loadDriver = async () => includedDriver(), ...options }) {
      const sessions =
        dir === undefined ? sessionsByVariables(env, place).sessions : (options.sessions ?? place.sessions)
      return recordSource(definition, { folder, sessions, fs, loadDriver })
    },
  }
}
