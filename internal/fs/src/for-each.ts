/** Does the work on each, on some at a time. After a fault none is begun; the first is thrown when all that were begun have ended. */
export async function forEach<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const rest = items.entries()
  const faults: unknown[] = []
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) {
      if (faults.length > 0) return
      await work(item, index).catch((fault: unknown) => faults.push(fault))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (faults.length > 0) throw faults[0]
}
