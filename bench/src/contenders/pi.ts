import fs from "node:fs"

/** As much of pi's SessionManager as is measured. */
export interface PiSession {
  getEntries(): PiEntry[]
  getLeafId(): string | null
  getBranch(): unknown[]
  getTree(): unknown[]
  getLabel(id: string): string | undefined
  getSessionFile(): string
  buildSessionContext(): { messages: unknown[]; thinkingLevel: string; model: unknown }
  appendMessage(message: object): string
  createBranchedSession(leafId: string): string
}

export interface PiEntry {
  readonly type: string
  readonly id: string
  readonly parentId: string | null
}

export interface PiManagers {
  create(cwd: string, sessionDir: string): PiSession
  /** @param sessionDir where sessions go that come from this one; by default, beside it */
  open(path: string, sessionDir?: string): PiSession
  forkFrom(path: string, cwd: string, sessionDir: string): PiSession
  listAll(): Promise<{ readonly messageCount: number; readonly allMessagesText: string }[]>
}

interface PiModule {
  readonly SessionManager: PiManagers
}

// pi exports only its main entry point, which loads half of the agent; the path counts from the bundle in dist/.
const PACKAGE = new URL("../node_modules/@earendil-works/pi-coding-agent/dist/index.js", import.meta.url)
const MODULE = new URL("core/session-manager.js", PACKAGE)

/** pi 0.74.2: its session manager, without the rest of the agent. */
export async function loadPi(): Promise<PiManagers> {
  const { SessionManager } = (await import(MODULE.href)) as PiModule
  return SessionManager
}

// The whole agent, as its users load it: its modules alone need a package that npm does not have.
const BUNDLE_OF_1 = new URL("../node_modules/pi-1/dist/bundle/index.js", import.meta.url)

/** Why pi 1.6.0 cannot run here; undefined where it can. */
export const PI_1_IS_ABSENT = "globSync" in fs ? undefined : "it needs Node 22.19 or newer"

/** pi 1.6.0. */
export async function loadPi1(): Promise<PiManagers> {
  const { SessionManager } = (await import(BUNDLE_OF_1.href)) as PiModule
  return SessionManager
}

/** treelog's session manager for pi: the built package. */
export async function loadTreelogForPi(): Promise<PiManagers> {
  const { SessionManager } = await import("@treelog/pi")
  return SessionManager as unknown as PiManagers
}

/** `@treelog/pi` as its users load it: by the package's one entry point. */
export async function loadPiPackage(): Promise<PiManagers> {
  const { SessionManager } = (await import(PACKAGE.href)) as PiModule
  return SessionManager
}
