/** Passes every `import()` of the built app through `app/files.ts`, in place of the bundler's own preloading. */
import { join } from 'node:path'
import type { Plugin } from 'vite'

const helper = '\0vite/preload-helper.js'

export function files(): Plugin {
  let root = ''
  return {
    name: 'candor:files',
    apply: 'build',
    enforce: 'pre',
    configResolved(config) {
      root = config.root
    },
    load(id) {
      if (id !== helper) return undefined
      return `export { fetched as __vitePreload } from ${JSON.stringify(join(root, 'app', 'files.ts'))}`
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const isThere = chunks.some((chunk) => chunk.moduleIds.includes(join(root, 'app', 'files.ts')))
      if (!isThere) throw new Error('the bundler preloads files differently: see web/build/files.ts')
    },
  }
}
