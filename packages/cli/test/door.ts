// What the tests of this package import and its users cannot: CONTRIBUTING.md, "Tests".

export { agentCommand, agentLine } from "../src/agents/run-agent.js"
export { bashQuoted, shellWords } from "../src/commands/completion/shell-words.js"
export { folderMapping, mappedFolder } from "../src/commands/import/map-folder.js"
export { SCAN_VERSION } from "../src/commands/scan/session-secrets.js"
export { searchWhileUpdating } from "../src/commands/search/search-while-updating.js"
export { COMMANDS } from "../src/define/command-list.js"
export { GLOBAL_OPTIONS } from "../src/define/global-options.js"
export { adviceFor, commandMessage } from "../src/errors/command-message.js"
export { faultOf } from "../src/errors/error-report.js"
export { EXIT } from "../src/errors/exit-codes.js"
export { CommandContext } from "../src/io/command-context.js"
export type { Io, Output, PagerCommand, RunningPager, Terminal } from "../src/io/io.js"
export { NewFile } from "../src/io/new-file.js"
export { PagedOutput } from "../src/io/paged-output.js"
export { Progress } from "../src/io/progress.js"
export { pagerCommand } from "../src/io/start-paging.js"
export { withoutPath } from "../src/render/result-lines.js"
export { byFolder, groupLines } from "../src/render/session-groups.js"
export { sessionColumns, sessionTable } from "../src/render/session-table.js"
export { shortIds, shortSessionIds } from "../src/render/short-ids.js"
export { styleFor } from "../src/render/style.js"
export { type Column, Table } from "../src/render/table.js"
export { titleText } from "../src/render/titles.js"
export { treeLines, treeView, type ViewNode, viewRows } from "../src/render/tree-lines.js"
export { charactersOf, headOf, padded, quickWidth, truncated, widthOf, wrapLine } from "../src/render/width.js"
export { loadCommand, run } from "../src/run.js"
export { endsOfPath } from "../src/search/search-query.js"
export { sessionsSaying } from "../src/search/sessions-saying.js"
export type { CommandLibrary, CommandSource } from "../src/sessions/open-library.js"
export { chosenPlace, folderPlace } from "../src/store/blob-place.js"
export { chosenStore } from "../src/store/chosen-store.js"
export { blobsFolder, blobsOf } from "../src/store/session-blobs.js"
export { Finder, LiveSearch } from "../src/tui/finder/finder.js"
export { finderFrame } from "../src/tui/finder/finder-frame.js"
export { finderState, resizeRows, takeAnswer } from "../src/tui/finder/finder-state.js"
export { Finding } from "../src/tui/finder/finding.js"
export type { FindAnswer, FinderActions, FinderScope, FindRequest, Found, Preview } from "../src/tui/finder/found.js"
export { Reader } from "../src/tui/finder/reader.js"
export { SessionRows, type SessionSort, sessionFound } from "../src/tui/finder/session-rows.js"
export type { Source } from "../src/tui/finder/source.js"
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
export type { PickerDisplay } from "../src/tui/frame/start-picker.js"
export { editField, fieldWith, type TextField } from "../src/tui/frame/text-field.js"
export { treeData } from "../src/tui/tree/shown-rows.js"
export { DETAILS, treeFrame } from "../src/tui/tree/tree-frame.js"
export { TreePicker } from "../src/tui/tree/tree-picker.js"
export { foldOrGoUp, pressInTree, type TreePressed, unfoldOrGoDown } from "../src/tui/tree/tree-press.js"
export { changeTree, selectedNode, type TreeState, treeState } from "../src/tui/tree/tree-state.js"
