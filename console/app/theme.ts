/** Dark or light. Without a choice, the page follows the system by `light-dark()` in the styles. */
import { Shared } from './store.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]
const place = 'console-theme'

const read = (): Theme => {
  const kept = localStorage.getItem(place)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export const theme = new Shared<Theme>(read())

const paint = (): void => void (document.documentElement.dataset['theme'] = theme.get())
theme.subscribe(paint)
paint()

/** The choice is kept in this browser. */
export function chooseTheme(chosen: Theme): void {
  if (chosen === 'system') localStorage.removeItem(place)
  else localStorage.setItem(place, chosen)
  theme.set(chosen)
}
