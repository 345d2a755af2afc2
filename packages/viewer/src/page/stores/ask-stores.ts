import { StoreClient, StoreError, type StoreLink, type Updating } from "../source/store-client.js"
import { faultText, pause } from "./follow-store.js"

/** Time between two questions to an index that is being brought up to date. Milliseconds. */
const ASK_AGAIN = 1_000

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
 * Asks each store, again until its index is up to date. A question that is no query ends with its fault.
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
    try {
      for (let isFirst = true; !signal.aborted; isFirst = false) {
        const answer = await question(client)
        answers.set(link.name, answer)
        if (isFirst) waiting -= 1
        show()
        if (!answer.updating) return
        await pause(ASK_AGAIN, signal)
      }
    } catch (error) {
      if (signal.aborted) return
      if (!answers.delete(link.name)) waiting -= 1
      if (error instanceof StoreError && error.code === "IndexUnavailableError") withoutIndex.push(link.name)
      else faults.set(link.name, faultText(error))
      show()
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
