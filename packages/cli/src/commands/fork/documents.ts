import { document, made, optional, text } from "../../define/document.js"

export const documents = document({ ...made, editorText: optional("What may be said differently.", text) })
