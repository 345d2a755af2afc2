import { appended, document, orNull, text } from "../../define/document.js"

/** What `treelog label --json` prints. */
export const documents = document({ ...appended, targetId: text, label: orNull(text) })
