import { render } from "preact"
import { pageSource } from "./source/page-source.js"
import "./style/page.css"
import { App } from "./view/app.js"
import { Viewer } from "./view/viewer.js"

const root = document.getElementById("app")
if (!root) throw new Error("This page lacks the element that everything is drawn in.")
const viewer = new Viewer()
render(<App viewer={viewer} />, root)
const source = pageSource()
if (source) viewer.open(source)
