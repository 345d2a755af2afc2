/**
 * Does the same with each item, so many at a time, and yields the results as they come: one that takes long delays no other.
 * Items are taken as results are asked for. After the first failure nothing more is begun.
 */
export async function* inAnyOrder<Item, Result>(
  items: AsyncIterable<Item>,
  atOnce: number,
  action: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const source = items[Symbol.asyncIterator]()
  const results: Result[] = []
  let [running, isTaking, hasEnded] = [0, false, false]
  let failure: { error: unknown } | undefined
  let wake = (): void => {}
  const hasRoom = (): boolean => !hasEnded && !failure && running + results.length < atOnce
  const fail = (error: unknown): void => {
    failure ??= { error }
    wake()
  }
  const run = async (item: Item): Promise<void> => {
    running += 1
    const result = await action(item)
    running -= 1
    results.push(result)
    wake()
  }
  const take = async (): Promise<void> => {
    isTaking = true
    while (hasRoom()) {
      const { done, value } = await source.next()
      if (done) hasEnded = true
      else if (!hasEnded) run(value).catch(fail)
    }
    isTaking = false
    wake()
  }
  try {
    while (!hasEnded || running > 0 || results.length > 0) {
      if (failure) throw failure.error
      if (!isTaking && hasRoom()) take().catch(fail)
      if (results.length > 0) yield results.shift() as Result
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    hasEnded = true
    await source.return?.()
  }
}
