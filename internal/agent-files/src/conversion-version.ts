import type { AgentSource } from "./agent-source.js"

/**
 * Incremented by a release that converts the same sessions of any agent to other entries, finds others in the same files, or keeps something else of a
 * conversion. One number for all agents: what is cached of a session, its bytes, its state, its summary and its rows in the index, is of one version.
 */
const CONVERSION_VERSION = 23

export function conversionVersionOf({ conversionVersion = 0 }: Pick<AgentSource, "conversionVersion">): string {
  return `${CONVERSION_VERSION}.${conversionVersion}`
}
