import type { JSX } from "preact"
import { useMemo } from "preact/hooks"
import { VirtualList } from "../../scroll/virtual-list.js"
import { numberText, plural } from "../format-values.js"
import { SideFrame } from "../side/side-frame.js"
import type { StoresPage } from "./stores-page.js"

/** The folders of all sessions; one of them limits every section. */
export function ProjectPanel({ page }: { readonly page: StoresPage }): JSX.Element {
  const { projects } = page.shown
  const { project } = page.address.filters
  // Rows are laid out again when the choice changes, which is in another element.
  const rows = useMemo(() => ({ projects, project }), [projects, project])
  return (
    <SideFrame label="Projects" isOpen={page.isPanelOpen} close={() => page.setPanel(false)}>
      <div class="side-body">
        <div class="side-head">
          <h2>Projects</h2>
          <span class="faint">{numberText(projects.length)}</span>
          {project !== undefined && (
            <button type="button" class="text-button" onClick={() => page.setFilters({ project: undefined })}>
              Show all
            </button>
          )}
        </div>
        <VirtualList
          count={projects.length}
          rows={rows}
          estimate={() => 46}
          keyOf={(row) => projects[row]?.cwd ?? row}
          renderRow={(row) => <ProjectRow page={page} row={row} />}
          attributes={{ class: "projects", role: "group", "aria-label": "Folders with sessions", tabIndex: 0 }}
        />
      </div>
    </SideFrame>
  )
}

function ProjectRow({ page, row }: { readonly page: StoresPage; readonly row: number }): JSX.Element | null {
  const project = page.shown.projects[row]
  if (!project) return null
  const isChosen = page.address.filters.project === project.cwd
  const [, above = "", name = project.folder] = /^(.*[\\/])([^\\/]+)[\\/]*$/.exec(project.folder) ?? []
  return (
    <button
      type="button"
      class="project"
      aria-pressed={isChosen}
      title={plural(project.count, "session")}
      onClick={() => page.setFilters({ project: isChosen ? undefined : project.cwd })}
    >
      <span class="project-name">
        <bdi>{name || "No folder"}</bdi>
        <small class="path">
          <bdi>{above}</bdi>
        </small>
      </span>
      <span class="faint">{numberText(project.count)}</span>
    </button>
  )
}
