// In the bundle of the command line, this replaces `node:child_process`: commander loads it to run commands that are programs of
// their own, of which there are none, and loading it takes as long as making the command line.

export function spawn(file: string): never {
  throw new Error(`${file} is no command of treelog.`)
}
