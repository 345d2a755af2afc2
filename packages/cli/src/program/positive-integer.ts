import { InvalidArgumentError } from "commander"

/** @throws InvalidArgumentError for what is no whole number from 1 to 999,999,999 */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.")
  return Number(text)
}
