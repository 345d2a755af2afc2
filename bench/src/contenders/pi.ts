/** As much of pi's SessionManager as is measured. */
export interface PiSession {
  getLeafId(): string | null
  getBranch(): unknown[]
  getTree(): unknown[]
  getLabel(id: string): string | undefined
  buildSessionContext(): { messages: unknown[] }
  appendMessage(message: object): string
}

interface PiModule {
  readonly SessionManager: {
    open(path: string): PiSession
    listAll(): Promise<{ readonly messageCount: number }[]>
  }
}

// pi exports only its front door, which starts half of the agent; the path counts from the bundle in dist/.
const MODULE = new URL("../node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js", import.meta.url)

/** pi 0.74.2. */
export async function loadPi(): Promise<PiModule["SessionManager"]> {
  const { SessionManager } = (await import(MODULE.href)) as PiModule
  return SessionManager
}
