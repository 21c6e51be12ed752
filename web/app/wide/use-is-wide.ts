/** From 1024 px, screens lay themselves out side by side. */
import { createContext, useSyncExternalStore } from 'react'

const query = '(min-width: 1024px)'

export function useIsWide(): boolean {
  return useSyncExternalStore(follow, () => matchMedia(query).matches)
}

function follow(tell: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', tell)
  return () => media.removeEventListener('change', tell)
}

/** In a list with a screen beside it: the path that is shown there. */
export const PathBeside = createContext<string | undefined>(undefined)
