/** Freezes a value and everything in it, so that any attempt to change it throws. */
export function deepFreeze<Value>(value: Value): Value {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue
    Object.freeze(next)
    waiting.push(...Object.values(next))
  }
  return value
}
