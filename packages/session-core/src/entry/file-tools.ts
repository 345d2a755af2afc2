import { isWholePath, joinPath } from "./folder-name.js"
import { isJsonObject, type JsonObject, valueText } from "./values.js"

/** The files that a call of a tool reads and changes, as it names them. */
export interface CalledFiles {
  readonly read: readonly string[]
  readonly changed: readonly string[]
}

/** Undefined where it is unknown. */
type Rule = (args: JsonObject) => CalledFiles | undefined

const reads: Rule = (args) => ({ read: pathsIn(args), changed: [] })
const changes: Rule = (args) => ({ read: [], changed: pathsIn(args) })
const readsMany: Rule = ({ include, paths = include, files = paths }) =>
  Array.isArray(files)
    ? { read: files.map((file) => valueText(isJsonObject(file) ? file.path : file)), changed: [] }
    : undefined
const patches: Rule = (args) => ({ read: [], changed: patchedFiles(args.input ?? args.patch ?? args.patchText) })
const edits: Rule = (args) => (args.command === "view" ? reads(args) : changes(args))
/** Of a command, only a patch is certain. Its files are below the folder in which it runs. */
const runs: Rule = ({ cmd, command = cmd, working_directory, cwd = working_directory, workdir = cwd }) => {
  const run = patchRunBy(command)
  if (!run) return undefined
  const folder = inFolder(isFilledText(workdir) ? workdir : ".", run.folder)
  return { read: [], changed: patchedFiles(run.patch).map((path) => inFolder(folder, path)) }
}

/** Of a script that calls tools, only the patches that are written in it are certain: in one text, or as a list of its lines. */
const runsScript: Rule = ({ input }) => {
  if (typeof input !== "string" || !input.includes("tools.apply_patch(")) return undefined
  const heads = [...input.matchAll(SCRIPT_HEAD)].map(([, path = ""]) => path.trimEnd())
  const changed = [...new Set(heads)].filter((path) => path !== "" && !path.includes("${"))
  return changed.length === 0 ? undefined : { read: [], changed }
}
const SCRIPT_HEAD =
  /(?:^(?:\s*["'`])?|\\n|["'`]\s*,\s*["'`])\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)(?=\\[rn]|["'`]\s*[,\])]|$)/gm

/** Tools that change no file, and read none that their arguments name. */
const WITHOUT_FILES: ReadonlySet<string> = /* @__PURE__ */ words(`
  grep find ls Grep Glob LS GrepTool GlobTool dispatch_agent WebFetch WebSearch web_search ToolSearch BashOutput Task Agent Skill TodoWrite TodoRead
  AskUserQuestion EnterPlanMode ExitPlanMode task todo update_plan spawn_agent wait_agent list_agents close_agent
  request_user_input grep_search search_file_content list_directory web_fetch google_web_search agent save_memory
  todo_write write_todos list_files search_files list_code_definition_names attempt_completion list_dir file_search
  semantic_search test_search list_code_usages search_workspace_symbols read_project_structure get_errors
  get_changed_files get_terminal_output fetch_webpage github_repo manage_todo_list ask_questions runSubagent
  search_subagent codebase_search glob_file_search ripgrep_raw_search semantic_search_full read_lints task_v2 glob list
  webfetch websearch skill question todowrite todoread subagent AgentSwarm FetchURL FetchUrl AskUser TodoList todos fetch agentic_fetch
  sourcegraph lsp_diagnostics lsp_references lsp_symbols lsp_definition lsp_call_hierarchy job_output job_kill crush_info
  crush_logs TaskCreate TaskUpdate TaskGet TaskList TaskStop TaskOutput AgentOutputTool KillShell KillBash SlashCommand SendMessage
  SendUserMessage ListMcpResourcesTool ReadMcpResourceTool CronCreate CronDelete CronList ScheduleWakeup PushNotification LSP StructuredOutput
  tool_search list_mcp_resources list_mcp_resource_templates read_mcp_resource request_permissions send_input send_message resume_agent
  followup_task interrupt_agent create_goal get_goal update_goal report_intent ask_user store_memory read_bash list_bash stop_bash read_agent
  activate_skill enter_plan_mode exit_plan_mode complete_task get_internal_docs invoke_agent codebase_investigator cli_help update_topic
  tracker_add_dependency tracker_create_task tracker_get_task tracker_list_tasks tracker_update_task tracker_visualize ask_user_question
  cron_create cron_list cron_delete task_stop codesearch plan_enter plan_exit rg Subagent SemanticSearch ReadLints AwaitShell updateCurrentStep AskQuestion
  SwitchMode SearchWeb Think SetTodoList update_todo_list switch_mode new_task ask_followup_question plan_mode_respond fetch_instructions
  read_command_output run_slash_command access_mcp_resource list_dir_v2 todo_read create_plan ask_question fetch_rules
  EnterWorktree ExitWorktree ReportFindings ProposeGoal ProposeSkills ReadNotifications RemoteTrigger SendFeedback Workflow
  write_agent session_store_sql sql task_complete
`)

function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/))
}

/** What the tools of each agent do to files, by their names. Of a tool that is not here, it is unknown. */
const TOOLS: Readonly<Record<string, Rule>> = {
  // pi, omp, xcsh, opencode; `patch` is of opencode 2 and Hermes
  read: reads,
  write: changes,
  edit: changes,
  // Claude Code
  Read: reads,
  NotebookRead: reads,
  Write: changes,
  Edit: changes,
  MultiEdit: changes,
  NotebookEdit: changes,
  Artifact: reads,
  // of its versions before 1.0
  View: reads,
  ReadNotebook: reads,
  Replace: changes,
  NotebookEditCell: changes,
  patch: (args) => (typeof args.path === "string" ? changes(args) : patches(args)),
  // Codex; `apply_patch` also opencode
  view_image: reads,
  apply_patch: patches,
  exec_command: runs,
  exec: runsScript,
  shell: runs,
  shell_command: runs,
  local_shell: runs,
  // The shells of Claude Code, pi and omp
  Bash: runs,
  bash: runs,
  // Copilot CLI; `edit` is there above
  view: reads,
  create: changes,
  // Crush; `view`, `edit` and `write` are there above
  multiedit: changes,
  download: changes,
  // Gemini CLI and Qwen Code; `edit` is there above
  // Roo Code names several
  read_file: (args) => (Array.isArray(args.files) ? readsMany({ files: args.files }) : reads(args)),
  read_many_files: readsMany,
  write_file: changes,
  replace: changes,
  // Kimi Code; `Read`, `Write` and `Edit` are there above
  ReadMediaFile: reads,
  // Droid; `Read` and `Edit` are there above
  Create: changes,
  ApplyPatch: patches,
  Execute: runs,
  // Hermes; `read_file` and `write_file` are there above
  terminal: runs,
  // Cline and Roo Code; `read_file` is there above
  read_files: readsMany,
  editor: changes,
  write_to_file: changes,
  apply_diff: changes,
  insert_content: changes,
  search_and_replace: changes,
  execute_command: runs,
  replace_in_file: changes,
  generate_image: changes,
  // GitHub Copilot in VS Code; `read_file` and `apply_patch` are there above
  create_file: changes,
  insert_edit_into_file: changes,
  replace_string_in_file: changes,
  multi_replace_string_in_file: ({ replacements }) =>
    Array.isArray(replacements) ? { read: [], changed: [...new Set(replacements.flatMap(pathsIn))] } : undefined,
  edit_notebook_file: changes,
  run_in_terminal: runs,
  // Cursor; `read_file` and `write` are there above
  read_file_v2: reads,
  edit_file: changes,
  edit_file_v2: changes,
  reapply: changes,
  search_replace: changes,
  delete_file: changes,
  run_terminal_cmd: runs,
  run_terminal_command_v2: runs,
  // its agent, and the first Kimi CLI, whose sessions Kimi Code takes over; `Read`, `Write` and `ApplyPatch` are there above
  ReadFile: reads,
  WriteFile: changes,
  StrReplace: changes,
  StrReplaceFile: changes,
  EditNotebook: changes,
  Delete: changes,
  Shell: runs,
  // Anthropic's text editor
  str_replace_editor: edits,
  str_replace_based_edit_tool: edits,
}

/** What tools of well-known MCP servers do: of files, Serena, JetBrains' editors and Desktop Commander. */
const TOOLS_OF_SERVERS: Readonly<Record<string, Rule>> = {
  read_file: reads,
  read_text_file: reads,
  read_multiple_files: readsMany,
  get_file_text_by_path: reads,
  write_file: changes,
  edit_file: changes,
  edit_block: changes,
  move_file: ({ source, destination }) => ({ read: [], changed: [source, destination].filter(isFilledText) }),
  create_text_file: changes,
  create_new_file: changes,
  replace_content: changes,
  replace_regex: changes,
  replace_symbol_body: changes,
  replace_text_in_file: changes,
  insert_after_symbol: changes,
  insert_before_symbol: changes,
}

function ruleOf(name: string): Rule | undefined {
  if (Object.hasOwn(TOOLS, name)) return TOOLS[name]
  // Before the name of a tool, agents put that of its server: `mcp__serena__create_text_file`, `filesystem-write_file`.
  const tool = Object.keys(TOOLS_OF_SERVERS).find((one) => name.endsWith(`_${one}`) || name.endsWith(`-${one}`))
  return tool === undefined ? undefined : TOOLS_OF_SERVERS[tool]
}

/** The files of a call; undefined where they are unknown: of a tool that is not known, and of most commands for a shell. */
export function filesOfCall(name: unknown, args: unknown): CalledFiles | undefined {
  if (typeof name !== "string" || !isJsonObject(args)) return undefined
  if (WITHOUT_FILES.has(name)) return { read: [], changed: [] }
  return ruleOf(name)?.(args)
}

function pathsIn(args: unknown): string[] {
  const path = isJsonObject(args) ? filePathIn(args) : undefined
  return path === undefined ? [] : [path]
}

/** The fields in which the tools of any known program name a file: `absolute_path` is of older Gemini CLI and Qwen Code. */
const PATH_FIELDS = [
  "path",
  "file_path",
  "filePath",
  "notebook_path",
  "target_notebook",
  "target_file",
  "targetFile",
  "relativeWorkspacePath",
  "absolute_path",
  // Of MCP servers: Serena, JetBrains
  "relative_path",
  "pathInProject",
]

/** The path of the file that the arguments of a tool call name. */
export function filePathIn(args: JsonObject): string | undefined {
  return PATH_FIELDS.map((name) => args[name]).find(isFilledText)
}

function isFilledText(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

/** The files of a patch, each once: also those that it deletes, and the old and the new name of one that it moves. */
function patchedFiles(patch: unknown): string[] {
  if (typeof patch !== "string") return []
  const heads = patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)
  return [...new Set([...heads].map(([, path = ""]) => path.trimEnd()))].filter((path) => path !== "")
}

/** The patch of a command that is one call of `apply_patch`, and the folder that it goes to first; undefined for any other command. */
function patchRunBy(command: unknown): { readonly patch: string; readonly folder: string } | undefined {
  if (Array.isArray(command)) {
    if (/^apply_?patch$/.test(valueText(command[0]))) return { patch: valueText(command[1]), folder: "." }
    return command.length === 3 && /(?:^|\/)(?:ba|z|)sh$/.test(valueText(command[0]))
      ? patchRunBy(command[2])
      : undefined
  }
  const start = typeof command === "string" ? STARTS.exec(command) : null
  return start ? { patch: start.input, folder: start.groups?.folder ?? "." } : undefined
}

/** What a variable or `~` stands for is unknown. */
const STARTS = /^\s*(?:cd\s+(["']?)(?<folder>[^"';&|\n$~`]+?)\1\s*&&\s*)?apply_?patch\s+<</

function inFolder(folder: string, path: string): string {
  return folder === "." || isWholePath(path) ? path : path === "." ? folder : joinPath(folder, path)
}
