/** Longer names of folders are cut here, and a hash follows. */
const LONGEST = 200

/**
 * The name of the folder where Claude Code keeps the sessions of a working directory: each character that is no letter or digit of ASCII
 * becomes `-`. Several directories have the same name, so the `cwd` in the file decides.
 */
function folderName(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, "-")
}

/** Whether a folder may have sessions of the working directory. Of a long name only the beginning is compared: its hash differs. */
export function mayBeOf(name: string, cwd: string): boolean {
  const expected = folderName(cwd)
  return expected.length <= LONGEST ? name === expected : name.startsWith(expected.slice(0, LONGEST))
}

/** The working directory, or one above, whose sessions a folder may have. */
export function folderIn(name: string, cwd: string): string | undefined {
  if (mayBeOf(name, cwd)) return cwd
  // The name of a directory is as long as the directory.
  const above = cwd.slice(0, name.length)
  return /[/\\]/.test(cwd.charAt(name.length)) && mayBeOf(name, above) ? above : undefined
}
