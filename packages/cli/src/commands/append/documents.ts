import { appended, document } from "../../define/document.js"

export const documents = document(appended)
