import { fileURLToPath } from "node:url"

/** A file of pi 0.74.2's package: its `exports` name only the entry point. */
export function inPi(path: string): URL {
  return new URL(`../../node_modules/@earendil-works/pi-coding-agent/${path}`, import.meta.url)
}

/** The command. */
export const PI = fileURLToPath(inPi("dist/cli.js"))
