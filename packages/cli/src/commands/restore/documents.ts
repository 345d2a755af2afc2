import { count, described, document, either, failed, list, path } from "../../define/document.js"

/** What `treelog restore --json` prints of each session. */
export const documents = either(
  document({
    path: described(path, "Where its agent finds it."),
    files: described(list(path), "The files that are there again."),
    rows: described(count, "The rows of a database that are there again."),
    otherRows: described(count, "The rows of a database that are there with another content, which stays."),
  }),
  failed,
)
