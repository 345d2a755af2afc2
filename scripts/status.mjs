/** Says what is being done, and on a terminal how far it is. The output of a command is looked through for that. */
export function status(what, stepsIn) {
  const { stderr } = process
  const line = (detail) => `${what}${detail ? `: ${detail}` : ""}`
  stderr.write(stderr.isTTY ? line() : `${line()}\n`)
  return {
    read(output) {
      const detail = stepsIn(output)
      if (detail && stderr.isTTY) stderr.write(`\r${line(detail)}\u001b[K`)
    },
    end: () => stderr.isTTY && stderr.write("\n"),
  }
}
