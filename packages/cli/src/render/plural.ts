import { numberText } from "./number.js"

/** `1 entry`, `1,002 entries`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`
}
