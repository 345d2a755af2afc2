const TEXTS = {
  ENOENT: "no such file or directory",
  EEXIST: "it exists already",
  EISDIR: "it is a directory",
  ENOTDIR: "it is not a directory",
  ENOTEMPTY: "the directory is not empty: remove it recursively",
  EINVAL: "a directory cannot be moved into itself",
} as const

/** What a file operation reports to the Copilot SDK, which knows the codes of the operating system and no others. */
export class CopilotFileError extends Error {
  readonly code: keyof typeof TEXTS
  readonly path: string

  constructor(code: keyof typeof TEXTS, operation: string, path: string) {
    super(`${code}: ${operation} ${JSON.stringify(path)}: ${TEXTS[code]}`)
    this.name = "CopilotFileError"
    this.code = code
    this.path = path
  }
}
