import { document, made } from "../../define/document.js"

export const documents = document(made)
