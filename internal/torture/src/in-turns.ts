/** Does something for each number below `count`, so many at a time. */
export async function inTurns(count: number, atOnce: number, does: (number: number) => Promise<void>): Promise<void> {
  let next = 0
  const turns = Array.from({ length: Math.min(atOnce, count) }, async () => {
    while (next < count) await does(next++)
  })
  await Promise.all(turns)
}
