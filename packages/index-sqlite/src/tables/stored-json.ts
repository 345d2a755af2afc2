/** Parses JSON of a row. @throws an error as SQLite's own, where the row was damaged on the disk */
export function storedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw Object.assign(new Error("A row of the index is damaged.", { cause: error }), { code: "SQLITE_CORRUPT" })
  }
}
