import { filePathIn } from "@treelog/session-core/adapter"
import { filesOfCall } from "@treelog/session-core/search"
import { expect, it } from "vitest"

const patch = [
  "*** Begin Patch",
  "*** Update File: src/a.ts",
  "@@",
  "-a",
  "+*** Add File: not/this.ts",
  "*** Add File: src/new file.ts",
  "+x",
  "*** Delete File: src/gone.ts",
  "*** Update File: src/old.ts",
  "*** Move to: src/moved.ts",
  "*** End Patch",
].join("\n")
const PATCHED = ["src/a.ts", "src/new file.ts", "src/gone.ts", "src/old.ts", "src/moved.ts"]
const patching = `apply_patch <<'EOF'\n${patch}\nEOF`
const below = (folder: string) => PATCHED.map((path) => `${folder}/${path}`)

it.each([
  ["pi", "read", { path: "a.ts" }, ["a.ts"], []],
  ["pi", "edit", { path: "a.ts", edits: [] }, [], ["a.ts"]],
  ["xcsh", "write", { file_path: "a.ts", content: "" }, [], ["a.ts"]],
  ["Claude Code", "Read", { file_path: "/x/a.ts" }, ["/x/a.ts"], []],
  ["Claude Code", "MultiEdit", { file_path: "/x/a.ts", edits: [] }, [], ["/x/a.ts"]],
  ["Claude Code", "NotebookEdit", { notebook_path: "/x/a.ipynb", new_source: "1" }, [], ["/x/a.ipynb"]],
  ["Claude Code before 1.0", "View", { file_path: "/x/a.ts", offset: 1 }, ["/x/a.ts"], []],
  ["Claude Code before 1.0", "Replace", { file_path: "/x/a.ts", content: "1" }, [], ["/x/a.ts"]],
  ["Claude Code before 1.0", "NotebookEditCell", { notebook_path: "/x/a.ipynb", cell_number: 0 }, [], ["/x/a.ipynb"]],
  ["Claude Code before 1.0", "GlobTool", { pattern: "*.ts" }, [], []],
  ["Anthropic's editor", "str_replace_based_edit_tool", { command: "view", path: "a.ts" }, ["a.ts"], []],
  ["Anthropic's editor", "str_replace_editor", { command: "str_replace", path: "a.ts" }, [], ["a.ts"]],
  ["Cursor's agent", "ReadFile", { path: "a.ts", offset: 1 }, ["a.ts"], []],
  ["Cursor's agent", "StrReplace", { path: "a.ts", old_string: "a" }, [], ["a.ts"]],
  ["Cursor's agent", "EditNotebook", { target_notebook: "a.ipynb" }, [], ["a.ipynb"]],
  ["Cursor's agent", "Delete", { path: "a.ts" }, [], ["a.ts"]],
  ["Cursor's agent", "ApplyPatch", { input: patch }, [], PATCHED],
  ["a server of files in Claude Code", "mcp__filesystem__edit_file", { path: "/x/a.ts" }, [], ["/x/a.ts"]],
  ["a server of files in Copilot CLI", "filesystem-read_multiple_files", { paths: ["a", "b"] }, ["a", "b"], []],
  ["a server of files in opencode", "files_move_file", { source: "a", destination: "b" }, [], ["a", "b"]],
  ["Serena", "mcp__serena__replace_symbol_body", { relative_path: "a.ts", name_path: "f" }, [], ["a.ts"]],
  ["JetBrains", "mcp_idea_replace_text_in_file", { pathInProject: "a.ts" }, [], ["a.ts"]],
  ["the first Kimi CLI", "StrReplaceFile", { path: "a.ts", edit: {} }, [], ["a.ts"]],
  ["Roo Code", "insert_content", { path: "a.ts", line: 1 }, [], ["a.ts"]],
  ["Codex", "apply_patch", { input: patch }, [], PATCHED],
  ["Codex with Windows line ends", "apply_patch", { input: patch.replaceAll("\n", "\r\n") }, [], PATCHED],
  [
    "a patch with many spaces in a line",
    "apply_patch",
    { input: `*** Add File: a${" ".repeat(300_000)}b  ` },
    [],
    [`a${" ".repeat(300_000)}b`],
  ],
  ["Codex's shell", "shell", { command: ["apply_patch", patch] }, [], PATCHED],
  ["Codex's shell", "shell", { command: ["bash", "-lc", `apply_patch <<'EOF'\n${patch}\nEOF`] }, [], PATCHED],
  ["Codex's shell, in a folder that it goes to", "exec_command", { cmd: `cd web && ${patching}` }, [], below("web")],
  ["Codex's shell, in a folder with a space", "exec_command", { cmd: `cd "/x y" && ${patching}` }, [], below("/x y")],
  ["Codex's shell, by the other name", "exec_command", { cmd: patching.replace("_", "") }, [], PATCHED],
  ["Codex's shell, in another folder", "shell_command", { command: patching, workdir: "/x/web" }, [], below("/x/web")],
  ["Codex's shell, in both", "shell", { command: ["sh", "-c", `cd b && ${patching}`], workdir: "a" }, [], below("a/b")],
  ["Codex's shell, in this folder", "shell", { command: ["apply_patch", patch], workdir: "." }, [], PATCHED],
  ["Cursor's agent, in another folder", "Shell", { command: patching, working_directory: "web" }, [], below("web")],
  ["a patch of a whole path", "shell", { command: ["apply_patch", "*** Add File: /y/a"], workdir: "/x" }, [], ["/y/a"]],
  ["Codex's scripts", "exec", { input: `text(await tools.apply_patch(\`${patch}\`))` }, [], PATCHED],
  ["Codex's scripts", "exec", { input: `await tools.apply_patch(${JSON.stringify(patch)});` }, [], PATCHED],
  [
    "Codex's scripts, a list of lines",
    "exec",
    { input: `const lines = ${JSON.stringify(patch.split("\n"))}\ntools.apply_patch(lines.join("\\n"))` },
    [],
    PATCHED,
  ],
  ["Claude Code's shell", "Bash", { command: `apply_patch <<'EOF'\n${patch}\nEOF` }, [], PATCHED],
  ["opencode", "edit", { filePath: "a.ts", oldString: "a", newString: "b" }, [], ["a.ts"]],
  ["opencode", "apply_patch", { patchText: patch }, [], PATCHED],
  ["Copilot CLI", "view", { path: "a.ts" }, ["a.ts"], []],
  ["Copilot CLI", "create", { path: "a.ts", file_text: "a" }, [], ["a.ts"]],
  ["Gemini CLI", "read_many_files", { paths: ["a.ts", "b.ts"] }, ["a.ts", "b.ts"], []],
  ["Gemini CLI of 2025", "read_file", { absolute_path: "/x/a.ts" }, ["/x/a.ts"], []],
  ["Gemini CLI", "replace", { file_path: "a.ts", old_string: "a", new_string: "b" }, [], ["a.ts"]],
  ["Roo Code", "read_file", { files: [{ path: "a.ts" }, { path: "b.ts" }] }, ["a.ts", "b.ts"], []],
  ["Roo Code", "generate_image", { path: "a.png", prompt: "A" }, [], ["a.png"]],
  ["Cursor", "reapply", { target_file: "a.ts" }, [], ["a.ts"]],
  ["Cline", "read_files", { files: [{ path: "a.ts" }, { path: "b.ts" }] }, ["a.ts", "b.ts"], []],
  ["Cursor", "read_file", { target_file: "a.ts" }, ["a.ts"], []],
  ["Cursor", "edit_file_v2", { relativeWorkspacePath: "a.ts" }, [], ["a.ts"]],
  ["VS Code", "create_file", { filePath: "a.ts", content: "a" }, [], ["a.ts"]],
  [
    "VS Code",
    "multi_replace_string_in_file",
    { replacements: [{ filePath: "a.ts" }, { filePath: "b.ts" }, { filePath: "a.ts" }, null] },
    [],
    ["a.ts", "b.ts"],
  ],
  ["Claude Code", "Grep", { pattern: "x", path: "src" }, [], []],
  ["Claude Code", "TaskCreate", { subject: "x" }, [], []],
  ["Copilot CLI", "report_intent", { intent: "x" }, [], []],
  ["Copilot CLI", "write_agent", { agent_id: "x", message: "Go on" }, [], []],
  ["Claude Code", "EnterWorktree", { name: "x" }, [], []],
  ["Claude Code", "Artifact", { file_path: "/x/page.html" }, ["/x/page.html"], []],
  ["Gemini CLI", "activate_skill", { name: "x" }, [], []],
  ["a call without its path", "Edit", {}, [], []],
])("knows what a tool does to files (%s: %s)", (_, name, args, read, changed) => {
  expect(filesOfCall(name, args)).toEqual({ read, changed })
})

it("cannot say of a tool that it does not know, of other commands for a shell, or of arguments that are none", () => {
  expect(filesOfCall("exec_command", { cmd: `cat <<'EOF'\n${patch}\nEOF` })).toBeUndefined()
  expect(filesOfCall("shell", { command: ["bash", "-lc", "sed -i s/a/b/ a.ts"] })).toBeUndefined()
  expect(filesOfCall("exec_command", { cmd: `cd $WEB && ${patching}` })).toBeUndefined()
  expect(filesOfCall("mcp__fs__put", { path: "a.ts" })).toBeUndefined()
  expect(filesOfCall("constructor", {})).toBeUndefined()
  expect(
    filesOfCall("exec", { input: 'text(await tools.exec_command({ cmd: "sed -i s/a/b/ a.ts" }))' }),
  ).toBeUndefined()
  expect(filesOfCall("exec", { input: `tools.apply_patch("*** Update File: \${folder}/a.ts")` })).toBeUndefined()
  expect(filesOfCall("read", "a.ts")).toBeUndefined()
})

it("The path of a call has one of the names that programs use.", () => {
  expect(filePathIn({ path: "a", file_path: "b" })).toBe("a")
  expect(filePathIn({ path: "", file_path: "b" })).toBe("b")
  expect(filePathIn({ filePath: "c" })).toBe("c")
  expect(filePathIn({ path: 3 })).toBeUndefined()
})
