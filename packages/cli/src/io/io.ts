import { join, resolve } from "node:path"

/** The I/O of a command. `main.ts` makes it from the process; tests make their own. */
export interface Io {
  /** Data, and nothing else. */
  readonly stdout: Output
  /** Everything else: errors, progress, hints. */
  readonly stderr: Output
  /** All of standard input, as text. */
  readStdin(): Promise<string>
  /** The same as bytes, as they come. */
  stdinBytes(): AsyncIterable<Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  /** An absolute path. */
  readonly cwd: string
  /** Milliseconds since 1970. */
  now(): number
  /** The terminal of the user: undefined where stdin or stderr is redirected. stdout may be redirected. */
  terminal(): Terminal | undefined
  /** Aborts on Ctrl-C. */
  readonly interrupted: AbortSignal
}

/** Keys, and the screen that they act on. */
export interface Terminal {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

export interface Output {
  /** Resolves when the text or the bytes are written. @throws an error with the code EPIPE when the reader has closed it */
  write(text: string | Uint8Array): Promise<void>
  readonly isTTY: boolean
  /** How wide a line can be, in columns; of use on a terminal only. */
  readonly columns: number
}

/** Resolves a folder of the command line from the current one, with `~` as in a shell. */
export function absoluteFolder({ cwd, env }: Pick<Io, "cwd" | "env">, given: string): string {
  const home = env.HOME
  return resolve(cwd, home && /^~(?=$|[/\\])/.test(given) ? join(home, given.slice(1)) : given)
}
