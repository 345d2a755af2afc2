// The types of @github/copilot-sdk that the adapter uses, written down here so that it does not depend on the SDK.

/** What is known of a file or directory. */
export interface CopilotFileInfo {
  isFile: boolean
  isDirectory: boolean
  /** Bytes. */
  size: number
  /** ISO 8601. */
  mtime: string
  /** ISO 8601. */
  birthtime: string
}

/** A name in a directory. */
export interface CopilotDirectoryEntry {
  name: string
  type: "file" | "directory"
}
