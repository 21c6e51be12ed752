/** Loads the screens from `screens/<folder>/screen.tsx`, each a chunk of its own that is loaded when it is first opened. */
import { loadScreensWith, type ScreenModule } from '../app/routes.ts'

const modules = import.meta.glob<ScreenModule>('../screens/*/screen.tsx')

export function openScreens(): void {
  loadScreensWith((folder) => (modules[`../screens/${folder}/screen.tsx`] ?? modules['../screens/not-found/screen.tsx'])())
}
