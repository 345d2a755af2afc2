const KEYS = {
  Enter: "\r",
  Escape: "\x1b",
  Tab: "\t",
  BackTab: "\x1b[Z",
  Backspace: "\x7f",
  Up: "\x1b[A",
  Down: "\x1b[B",
  Right: "\x1b[C",
  Left: "\x1b[D",
  End: "\x1b[F",
  Home: "\x1b[H",
  PageUp: "\x1b[5~",
  PageDown: "\x1b[6~",
} as const

export type TerminalKey = keyof typeof KEYS | `Ctrl-${string}`

/** What a terminal sends for a key. */
export function bytesOf(key: TerminalKey): string {
  return key in KEYS ? KEYS[key as keyof typeof KEYS] : control(key)
}

function control(key: string): string {
  return String.fromCharCode(key.slice("Ctrl-".length).charCodeAt(0) - 0x60)
}
