export interface LineSplitter {
  add(piece: string): void
  /** Resolves when every line was handled. @throws what `onLine` threw */
  end(): Promise<void>
  /** The last line that says something; empty where none does. */
  lastLine(): string
}

/** UTF-16 units; who writes no line break is cut. */
const LONGEST_LINE = 2000

/** Splits text that arrives in pieces into lines, in order, without empty lines. What repaints a line gives a line each time. */
export function lineSplitter(onLine: (line: string) => Promise<void>): LineSplitter {
  let rest = ""
  let last = ""
  let handled = Promise.resolve()
  const handleLine = (line: string): void => {
    if (line.trim() === "") return
    last = line.slice(0, LONGEST_LINE)
    const shown = last
    handled = handled.then(() => onLine(shown))
    // Whoever calls `end` gets it.
    handled.catch(() => undefined)
  }
  return {
    add(piece) {
      const lines = (rest + piece).split(/\r\n|[\r\n]/)
      rest = (lines.pop() ?? "").slice(0, LONGEST_LINE)
      for (const line of lines) handleLine(line)
    },
    end() {
      handleLine(rest)
      rest = ""
      return handled
    },
    lastLine: () => last,
  }
}
