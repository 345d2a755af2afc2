import { count, described, document, either, failed, list, path } from "../../define/document.js"

export const documents = either(
  document({
    path: described("Where its agent finds it.", path),
    files: list("The files that are there again.", path),
    rows: described("The rows of a database that are there again.", count),
    otherRows: described("The rows of a database that are there with another content, which stays.", count),
  }),
  failed,
)
