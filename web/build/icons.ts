/** Icons are drawn by `parts/ui/icon.ts` instead of the function that lucide's files import. */
import { join } from 'node:path'
import type { Plugin } from 'vite'

export function icons(): Plugin {
  let root = ''
  return {
    name: 'candor:icons',
    enforce: 'pre',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    resolveId: (source, importer) =>
      source === '../createLucideIcon.mjs' && importer?.includes('/lucide-react/') === true
        ? join(root, 'parts', 'ui', 'icon.ts')
        : undefined,
  }
}
