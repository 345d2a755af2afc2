export function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

/** A finite number, or 0. */
export function numberIn(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0
}
