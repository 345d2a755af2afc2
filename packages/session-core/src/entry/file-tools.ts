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

/**
 * What the tools of each agent do to files, by their names. Of a tool that is not here, it is unknown. Of pi, omp, xcsh and opencode; of Claude Code and
 * its versions before 1.0 (`View` to `NotebookEditCell`); Codex; Copilot CLI; Crush; Gemini CLI and Qwen Code; Kimi Code, and the first Kimi CLI; Droid;
 * Hermes; Cline and Roo Code; GitHub Copilot in VS Code; Cursor and its agent; and of Anthropic's text editor.
 */
const TOOLS = /* @__PURE__ */ toolRules()

function toolRules(): ReadonlyMap<string, Rule> {
  return new Map([
    ...all(
      reads,
      "read Read NotebookRead Artifact View ReadNotebook view_image view ReadMediaFile read_file_v2 ReadFile",
    ),
    ...all(
      changes,
      `write edit Write Edit MultiEdit NotebookEdit Replace NotebookEditCell create multiedit download write_file replace Create
     editor write_to_file apply_diff insert_content search_and_replace replace_in_file generate_image
     create_file insert_edit_into_file replace_string_in_file edit_notebook_file
     edit_file edit_file_v2 reapply search_replace delete_file WriteFile StrReplace StrReplaceFile EditNotebook Delete`,
    ),
    ...all(
      runs,
      `exec_command shell shell_command local_shell Bash bash Execute terminal execute_command run_in_terminal
     run_terminal_cmd run_terminal_command_v2 Shell`,
    ),
    ...all(patches, "apply_patch ApplyPatch"),
    ...all(readsMany, "read_many_files read_files"),
    ...all(edits, "str_replace_editor str_replace_based_edit_tool"),
    ["exec", runsScript],
    // Of opencode 2 and Hermes, and of Claude Code before 1.0.
    ["patch", (args) => (typeof args.path === "string" ? changes(args) : patches(args))],
    // Roo Code names several.
    ["read_file", (args) => (Array.isArray(args.files) ? readsMany({ files: args.files }) : reads(args))],
    ["multi_replace_string_in_file", replacesMany],
  ])
}

function all(rule: Rule, names: string): [string, Rule][] {
  return [...words(names)].map((name) => [name, rule])
}

function replacesMany({ replacements }: JsonObject): CalledFiles | undefined {
  return Array.isArray(replacements) ? { read: [], changed: [...new Set(replacements.flatMap(pathsIn))] } : undefined
}

/** What tools of well-known MCP servers do: of files, Serena, JetBrains' editors and Desktop Commander. */
const TOOLS_OF_SERVERS = /* @__PURE__ */ serverToolRules()

function serverToolRules(): [name: string, rule: Rule][] {
  return [
    ...all(reads, "read_file read_text_file get_file_text_by_path"),
    ...all(readsMany, "read_multiple_files"),
    ...all(
      changes,
      `write_file edit_file edit_block create_text_file create_new_file replace_content replace_regex replace_symbol_body
     replace_text_in_file insert_after_symbol insert_before_symbol`,
    ),
    ["move_file", ({ source, destination }) => ({ read: [], changed: [source, destination].filter(isFilledText) })],
  ]
}

function ruleOf(name: string): Rule | undefined {
  // Before the name of a tool, agents put that of its server: `mcp__serena__create_text_file`, `filesystem-write_file`.
  const isOfServer = ([tool]: [string, Rule]) => name.endsWith(`_${tool}`) || name.endsWith(`-${tool}`)
  return TOOLS.get(name) ?? TOOLS_OF_SERVERS.find(isOfServer)?.[1]
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
