import { mountSessionList, mountTranscript, mountUsage, openSessionView } from "@treelog/viewer/parts"
import { expect, test } from "vitest"

test("a part that gets no element, no routes or no view says which", () => {
  const nowhere = null as unknown as Element
  const nothing = {} as never
  const view = openSessionView({ file: new Blob() })
  const routed = { routes: "/api", hrefOf: () => "#" }
  for (const mounted of [
    () => mountSessionList(nowhere, routed),
    () => mountUsage(nowhere, routed),
    () => mountTranscript(nowhere, { view }),
  ])
    expect(mounted).toThrow("A part is shown in an element of the page: there is none.")
  for (const mounted of [() => mountSessionList(nowhere, nothing), () => openSessionView(nothing)])
    expect(mounted).toThrow("`routes` is the address of the routes, such as /api.")
  expect(() => mountTranscript(nowhere, nothing)).toThrow("`view` is what openSessionView() returns.")
  view.close()
})
