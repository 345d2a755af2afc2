import { faultText, StoreError } from "../source/ask-routes.js"
import { pause } from "../source/pause.js"
import { StoreClient, type StoreLink, type Updating } from "../source/store-client.js"

/** Time between two questions to an index that is being brought up to date. Milliseconds. */
const ASK_AGAIN = 1_000
/** Time until a store is asked again that did not answer. Milliseconds. */
const TRY_AGAIN = 3_000

/** The answers of the stores to one question. */
export interface Answers<Answer> {
  /** Of the stores that have answered. */
  readonly answers: ReadonlyMap<string, Answer>
  /** Stores without an index. */
  readonly withoutIndex: readonly string[]
  /** Why stores did not answer. */
  readonly faults: ReadonlyMap<string, string>
  /** Whether stores have not answered yet. */
  readonly isAsking: boolean
  /** How far the indexes are that are being brought up to date, together. */
  readonly updating: Updating
}

export const NO_ANSWERS: Answers<never> = {
  answers: new Map<string, never>(),
  withoutIndex: [],
  faults: new Map(),
  isAsking: false,
  updating: null,
}

/**
 * Asks each store, again until its index is up to date, and after a while where it did not answer. A question that is refused ends with
 * its fault.
 * @param publish called with all answers whenever one has come
 */
export async function askStores<Answer extends { readonly updating: Updating }>(
  links: readonly StoreLink[],
  question: (client: StoreClient) => Promise<Answer>,
  publish: (answers: Answers<Answer>) => void,
  signal: AbortSignal,
): Promise<void> {
  const answers = new Map<string, Answer>()
  const faults = new Map<string, string>()
  const withoutIndex: string[] = []
  let waiting = links.length
  const show = (): void => {
    if (signal.aborted) return
    publish({ answers, faults, withoutIndex, isAsking: waiting > 0, updating: together(answers) })
  }
  const ask = async (link: StoreLink): Promise<void> => {
    const client = new StoreClient(link)
    let isSettled = false
    const settle = (): void => {
      if (!isSettled) waiting -= 1
      isSettled = true
      show()
    }
    while (!signal.aborted) {
      try {
        const answer = await question(client)
        answers.set(link.name, answer)
        faults.delete(link.name)
        settle()
        if (!answer.updating) return
        await pause(ASK_AGAIN, signal)
      } catch (error) {
        if (signal.aborted) return
        answers.delete(link.name)
        const isWithoutIndex = error instanceof StoreError && error.code === "IndexUnavailableError"
        if (isWithoutIndex) withoutIndex.push(link.name)
        else faults.set(link.name, faultText(error))
        settle()
        // A question that is refused would be refused again.
        if (isWithoutIndex || (error instanceof StoreError && error.status >= 400 && error.status < 500)) return
        await pause(TRY_AGAIN, signal)
      }
    }
  }
  await Promise.all(links.map(ask))
}

function together(answers: ReadonlyMap<string, { readonly updating: Updating }>): Updating {
  let [done, total] = [0, 0]
  for (const { updating } of answers.values()) {
    done += updating?.done ?? 0
    total += updating?.total ?? 0
  }
  return [...answers.values()].some(({ updating }) => updating) ? { done, total } : null
}
