import { InvalidArgumentError } from "commander"

const HIGHEST = 65_535

/** @throws InvalidArgumentError for what is no port; 0 means any that is free */
export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= HIGHEST))
    throw new InvalidArgumentError("It must be a port from 1 to 65535, or 0 for one that is free.")
  return port
}
