import { faultText, StoreError } from "../source/ask-routes.js"
import { pause } from "../source/pause.js"
import type { Limits } from "../source/sessions-client.js"

/** Time between two questions to an index that is being brought up to date. Milliseconds. */
const ASK_AGAIN = 1_000
/** Time until a server is asked again that did not answer. Milliseconds. */
const TRY_AGAIN = 3_000

/** The answer to a question, and what is known of it. */
export interface Asked<Answer> {
  /** Undefined until one has come. */
  readonly answer: Answer | undefined
  /** Whether there is no index to ask. */
  readonly isWithoutIndex: boolean
  /** Why there is no answer. */
  readonly fault: string | undefined
  /** Whether no answer has come yet. */
  readonly isAsking: boolean
}

export const NOT_ASKED: Asked<never> = { answer: undefined, isWithoutIndex: false, fault: undefined, isAsking: false }

/**
 * Asks, again until the indexes are up to date, and after a while where no answer came. A question that is refused ends with its fault.
 * @param publish called with each answer
 */
export async function askSessions<Answer extends Limits>(
  question: () => Promise<Answer>,
  publish: (asked: Asked<Answer>) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await question()
      if (signal.aborted) return
      publish({ ...NOT_ASKED, answer })
      if (!answer.updating) return
      await pause(ASK_AGAIN, signal)
    } catch (error) {
      if (signal.aborted) return
      const isWithoutIndex = error instanceof StoreError && error.code === "IndexUnavailableError"
      publish({ ...NOT_ASKED, isWithoutIndex, fault: isWithoutIndex ? undefined : faultText(error) })
      // A question that is refused would be refused again.
      if (isWithoutIndex || (error instanceof StoreError && error.status >= 400 && error.status < 500)) return
      await pause(TRY_AGAIN, signal)
    }
  }
}
