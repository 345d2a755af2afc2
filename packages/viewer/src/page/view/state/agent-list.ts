import type { AgentTranscript } from "../../../wire.js"
import type { AgentTranscripts } from "../../source/session-source.js"

/** Time until a list is requested again. Milliseconds. */
export const LIST_AGAIN = 5_000

/** No session has so many entries. */
const NOT_LISTED = -1

/** The list of a session's sub-agents: requested again when the session has grown, a call is running or there was no answer, but not often. */
export class AgentList {
  #known: { count: number; readonly time: number; readonly list: Promise<readonly AgentTranscript[]> } | undefined

  /**
   * @param count the entries of the session
   * @param isRunning whether the call still runs, which may begin a sub-agent at any time
   */
  get(agents: AgentTranscripts, count: number, isRunning: boolean): Promise<readonly AgentTranscript[]> {
    const known = this.#known
    const isRecent = known !== undefined && performance.now() - known.time < LIST_AGAIN
    if (known && (isRecent || (known.count === count && !isRunning))) return known.list
    const list = agents.list()
    const now = { count, time: performance.now(), list }
    this.#known = now
    list.catch(() => {
      now.count = NOT_LISTED
    })
    return list
  }
}
