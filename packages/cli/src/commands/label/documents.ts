import { appended, document, orNull, text } from "../../define/document.js"

export const documents = document({ ...appended, targetId: text, label: orNull(text) })
