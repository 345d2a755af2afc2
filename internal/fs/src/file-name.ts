/** Bytes. */
const LONGEST = 255

/** Whether a text can be the name of a file in a folder, and leads nowhere else. Backslashes and colons do on Windows. */
export function isFileName(name: string): boolean {
  if (name === "" || name === "." || name === ".." || name.includes("\0") || name.includes("/")) return false
  if (Buffer.byteLength(name) > LONGEST) return false
  return process.platform !== "win32" || !/[\\:]/.test(name)
}
