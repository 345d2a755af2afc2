import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Viewer } from "./viewer.js"

/** The one viewer of the page. */
export const ViewerContext = createContext<Viewer | undefined>(undefined)

export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext)
  if (!viewer) throw new Error("A view is drawn outside of the page.")
  return viewer
}
