import { useEffect, useState } from "preact/hooks"

/** Whether a media query applies, now and after every change. */
export function useMedia(query: string): boolean {
  const [applies, setApplies] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const change = (): void => setApplies(media.matches)
    change()
    media.addEventListener("change", change)
    return () => media.removeEventListener("change", change)
  }, [query])
  return applies
}
