// Stored text made fit for a screen, and what sessions look like as lines of text. Bundled into the packages that use it.

export { cleanJson, cleanLine, cleanTabbed, cleanText, ESCAPE_SEQUENCES, escapeHtml, textOf } from "./clean-text.js"
export { fencedCode, withoutLastLineEnds } from "./code-fences.js"
export {
  blockJson,
  blocksOf,
  callLabel,
  documentLabel,
  documentOf,
  endingText,
  type Fields,
  imageIn,
  imageLabel,
  isObject,
} from "./content-blocks.js"
export { contextShareText } from "./context-share.js"
export { costNotes, costText, dollarsText, listedCostText, tokensText } from "./cost-text.js"
export { bodyLines, type CutOptions, cutLines } from "./cut-lines.js"
export { contentLine, type EntryLine, entryLine, paintOf, roleName, speakerOf } from "./entry-line.js"
export { diffText, FileChanges } from "./file-changes.js"
export { folderLine } from "./folder-line.js"
export { type MessageOptions, messageLines } from "./message-lines.js"
export { numberText, plural, sizeText, tallyText } from "./quantities.js"
export { type Glyphs, type Paint, PLAIN, type Style, UNICODE } from "./style.js"
export { ageOf, agoOf, timeAt, timeOf } from "./time.js"
export { isData, type TranscriptOptions, transcriptLines, transcriptPrinter, turnLines } from "./transcript-lines.js"
export { isShownBy, TREE_FILTERS, type TreeFilter, type TreePart, treePartOf } from "./tree-filters.js"
export { type Rails, type ShownNode, shownTree, type TreeRow, treeRows } from "./tree-rows.js"
