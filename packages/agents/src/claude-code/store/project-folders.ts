/** Longer names of folders are cut here, and a hash follows. */
const LONGEST = 200

/**
 * Whether a folder may have sessions of a working directory: in its name each character that is no letter or digit of ASCII is `-`. Several
 * directories have the same name, so the `cwd` in the file decides. Of a long one only the beginning is compared: its hash differs.
 */
export function mayBeOf(name: string, cwd: string): boolean {
  const expected = cwd.replace(/[^a-zA-Z0-9]/g, "-")
  return expected.length <= LONGEST ? name === expected : name.startsWith(expected.slice(0, LONGEST))
}

/** The name of the folder with the sessions of a working directory; undefined of a long one, which ends in a hash. */
export function projectFolderOf(cwd: string): string | undefined {
  const name = cwd.replace(/[^a-zA-Z0-9]/g, "-")
  return name.length <= LONGEST ? name : undefined
}

/**
 * The folder that a session is of: the one in which it began or, where its file lies with the sessions of another, in which it ended, or one above.
 * Claude Code lists a session that was continued elsewhere in that folder.
 */
export function folderOf(began: string, ended: string, path = ""): string {
  const project = path.split(/[/\\]/).at(-2)
  if (!project) return began
  return folderNamed(project, began) ?? folderNamed(project, ended) ?? began
}

/** Whether the folder in which a session began is the one that it is of, wherever it ended. */
export function isOfFolder(began: string, path: string): boolean {
  return folderNamed(path.split(/[/\\]/).at(-2) ?? "", began) !== undefined
}

/** The working directory, or one above, whose sessions a folder may have. */
function folderNamed(name: string, cwd: string): string | undefined {
  if (mayBeOf(name, cwd)) return cwd
  // The name of a directory is as long as the directory.
  const above = cwd.slice(0, name.length)
  return /[/\\]/.test(cwd.charAt(name.length)) && mayBeOf(name, above) ? above : undefined
}
