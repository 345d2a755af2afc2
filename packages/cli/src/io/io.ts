import type { PlugIns } from "@treelog/stores"

/** The I/O of a command. `main.ts` makes it from the process; tests make their own. */
export interface Io {
  /** Data, and nothing else. */
  readonly stdout: Output
  /** Everything else: errors, progress, hints. */
  readonly stderr: Output
  /** All of standard input, as text. */
  readStdin(): Promise<string>
  /** Standard input as bytes, as they come. */
  stdinBytes(): AsyncIterable<Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  /** An absolute path. */
  readonly cwd: string
  /** Agents of the setting `agents`: `withPlugIns` adds them. */
  readonly plugIns?: PlugIns
  /** Milliseconds since 1970. */
  now(): number
  /** The terminal of the user: undefined where stdin or stderr is redirected. stdout may be redirected. */
  terminal(): Terminal | undefined
  /** Starts a program that shows text on the terminal. @throws an error with the system's code where it cannot be started */
  startPager(command: PagerCommand): Promise<RunningPager>
  /** Aborts on Ctrl-C. */
  readonly interrupted: AbortSignal
}

/** Keys, and the screen that they act on. */
export interface Terminal {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  /** Calls `restore` when the process ends, also where a signal ends it. @returns a function that unsubscribes */
  onExit(restore: () => void): () => void
}

export interface PagerCommand {
  /** A program, or with `isShell` a command line. */
  readonly file: string
  readonly args: readonly string[]
  /** Whether it needs a shell: it has characters that mean something to one. */
  readonly isShell: boolean
  /** Whether the user named it. */
  readonly isNamed: boolean
  /** Variables that it gets beside those of the command. */
  readonly env: Readonly<Record<string, string>>
}

/** A program that shows text on the terminal until the user leaves it. */
export interface RunningPager {
  /** Resolves when it has taken the text. @throws an error with the code EPIPE when it has ended */
  write(text: string | Uint8Array): Promise<void>
  /** Nothing more is written. Resolves when it has ended. */
  end(): Promise<void>
  readonly ended: Promise<void>
}

export interface Output {
  /** Resolves when the text or the bytes are written. @throws an error with the code EPIPE when the reader has closed it */
  write(text: string | Uint8Array): Promise<void>
  readonly isTTY: boolean
  /** How wide a line can be, in columns; of use on a terminal only. */
  readonly columns: number
  /** How many lines a screen has; of use on a terminal only. */
  readonly rows: number
}
