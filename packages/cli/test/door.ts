// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { agentCommand, agentLine } from "../src/agents/run-agent.js"
export { bashQuoted, shellWords } from "../src/commands/completion.js"
export { folderMapping, mappedFolder } from "../src/commands/import/unbundle.js"
export { SCAN_VERSION } from "../src/commands/scan/session-secrets.js"
export { searchWhileUpdating } from "../src/commands/search.js"
export { COMMANDS } from "../src/define/command-list.js"
export { GLOBAL_OPTIONS } from "../src/define/global-options.js"
export { adviceFor, commandMessage, faultOf } from "../src/errors/error-report.js"
export { EXIT } from "../src/errors/exit-codes.js"
export { CommandContext, Progress } from "../src/io/command-context.js"
export type { Io, Output, PagerCommand, RunningPager, Terminal } from "../src/io/io.js"
export { beginFile } from "../src/io/new-file.js"
export { PagedOutput, pagerCommand } from "../src/io/start-paging.js"
export { withoutPath } from "../src/render/result-lines.js"
export { byFolder, groupLines } from "../src/render/session-groups.js"
export { sessionColumns, sessionTable } from "../src/render/session-table.js"
export { shortIds, shortSessionIds } from "../src/render/short-ids.js"
export { styleFor } from "../src/render/style.js"
export { type Column, type Look, Table, titleText } from "../src/render/table.js"
export { treeLines, treeView, type ViewNode, viewRows } from "../src/render/tree-lines.js"
export { charactersOf, headOf, padded, quickWidth, truncated, widthOf, wrapLine } from "../src/render/width.js"
export { loadCommand, run } from "../src/run.js"
export { endsOfPath } from "../src/search/search-query.js"
export { sessionsSaying } from "../src/search/sessions-saying.js"
export type { CommandLibrary, CommandSource } from "../src/sessions/open-library.js"
export { chosenPlace, folderPlace } from "../src/store/blob-place.js"
export { chosenStore } from "../src/store/chosen-store.js"
export { blobsFolder, blobsOf } from "../src/store/command-sessions.js"
export { Finder, liveSearch } from "../src/tui/finder/finder.js"
export { finderFrame } from "../src/tui/finder/finder-frame.js"
export { finderState, resizeRows, takeAnswer } from "../src/tui/finder/finder-state.js"
export { Finding } from "../src/tui/finder/finding.js"
export type {
  FindAnswer,
  FinderActions,
  FinderScope,
  FindRequest,
  Found,
  Preview,
  Source,
} from "../src/tui/finder/found.js"
export { Reader } from "../src/tui/finder/reader.js"
export { SessionRows, type SessionSort, sessionFound } from "../src/tui/finder/session-rows.js"
export { type KeyName, type KeyPress, readKeys } from "../src/tui/frame/key-reader.js"
export {
  choiceLine,
  type ListParts,
  type ListWindow,
  listFrame,
  listHeight,
  moveByKey,
  resizeWindow,
  selectRow,
  windowOf,
} from "../src/tui/frame/list-frame.js"
export type { Picker, Size } from "../src/tui/frame/picker.js"
export { editField, fieldWith, type TextField } from "../src/tui/frame/text-field.js"
export { treeData } from "../src/tui/tree/shown-rows.js"
export { DETAILS, TreePicker, treeFrame } from "../src/tui/tree/tree-picker.js"
export {
  changeTree,
  foldOrGoUp,
  pressInTree,
  selectedNode,
  type TreePressed,
  type TreeState,
  treeState,
  unfoldOrGoDown,
} from "../src/tui/tree/tree-press.js"
