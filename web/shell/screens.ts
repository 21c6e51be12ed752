/** Where the screens are: `screens/<folder>/screen.tsx`, each a file of its own that comes when it is first opened. */
import { loadScreensWith, type ScreenModule } from '../app/routes.ts'

const modules = import.meta.glob<ScreenModule>('../screens/*/screen.tsx')

export function openScreens(): void {
  loadScreensWith((folder) => (modules[`../screens/${folder}/screen.tsx`] ?? modules['../screens/not-found/screen.tsx'])())
}
