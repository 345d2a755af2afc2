import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Viewer } from "./viewer.js"

export const ViewerContext = createContext<Viewer | undefined>(undefined)

export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext)
  if (!viewer) throw new Error("useViewer() was called outside of a ViewerContext.")
  return viewer
}
