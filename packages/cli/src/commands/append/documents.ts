import { appended, document } from "../../define/document.js"

/** What `treelog append --json` prints. */
export const documents = document(appended)
