import { document, made } from "../../define/document.js"

/** What `treelog new --json` prints. */
export const documents = document(made)
