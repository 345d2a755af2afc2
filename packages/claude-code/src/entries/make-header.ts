import type { SessionHeader } from "@treelog/session-core"

/** The header of the conversion. */
export interface PlannedHeader {
  readonly id: string
  readonly timestamp: string
  readonly cwd: string
  readonly parentSession: string | undefined
  /** Of a part: the session that has what is searched and counted of it. */
  readonly countedIn?: string | undefined
  readonly version: string | undefined
  readonly gitBranch: string | undefined
  readonly path: string | undefined
  /** Whether a program had the session, by an SDK. */
  readonly isSdk: boolean
}

export function makeHeader(header: PlannedHeader): SessionHeader {
  const { id, timestamp, cwd, parentSession, countedIn, version, gitBranch, path, isSdk } = header
  return {
    type: "session",
    version: 3,
    id,
    timestamp,
    cwd,
    ...(parentSession !== undefined && { parentSession }),
    ...(countedIn !== undefined && { countedIn }),
    source: {
      agent: "claude-code",
      ...(version !== undefined && { version }),
      ...(gitBranch !== undefined && { gitBranch }),
      ...(path !== undefined && { path }),
      ...(isSdk && { kind: "sdk" }),
    },
  }
}
