import { render } from "preact"
import { pageSource } from "./source/page-source.js"
import { storeLinks } from "./source/store-client.js"
import "./style/page.css"
import { App } from "./view/app.js"
import { StoresApp } from "./view/stores/stores-app.js"
import { StoresPage } from "./view/stores/stores-page.js"
import { Viewer } from "./view/viewer.js"

const root = document.getElementById("app")
if (!root) throw new Error("This page lacks the element that everything is drawn in.")
const stores = storeLinks()
if (stores) showStores(new StoresPage(stores), root)
else showSession(new Viewer(), root)

function showStores(page: StoresPage, root: HTMLElement): void {
  render(<StoresApp page={page} />, root)
  page.start()
}

function showSession(viewer: Viewer, root: HTMLElement): void {
  render(<App viewer={viewer} />, root)
  const source = pageSource()
  if (source) viewer.open(source)
}
