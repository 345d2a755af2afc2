/** What `work` makes of each item, in order. It has begun with the next `count` items while one is used. */
export async function* inAdvance<Item, Result>(
  items: AsyncIterable<Item>,
  count: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const coming: Promise<Result>[] = []
  try {
    for await (const item of items) {
      coming.push(work(item))
      // A failure is reported when its turn comes; until then it would be an unhandled rejection.
      void Promise.allSettled(coming)
      if (coming.length > count) yield (await coming.shift()) as Result
    }
    for (const one of coming) yield await one
  } finally {
    await Promise.allSettled(coming)
  }
}
