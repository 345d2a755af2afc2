// In the bundle of the command line, this replaces `node:child_process`: commander loads it to run commands that are programs of
// their own, of which there are none.

export function spawn(file: string): never {
  throw new Error(`${file} is not a command of treelog.`)
}
