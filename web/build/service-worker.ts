/** Writes `sw.js`: the worker's code, the list of the shell's files, and a cache name that changes with them. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Files that are cached only after their first use. */
const later = /klinecharts|\/locales\/[\w-]+\//

export function serviceWorker(): Plugin {
  let root = ''
  return {
    name: 'candor:service-worker',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const shell = ['/', '/manifest.webmanifest', '/icons/mark.svg']
        const hash = createHash('sha256')
        for (const [name, file] of Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1))) {
          hash.update(name)
          if (file.type === 'asset') hash.update(file.source)
          const isLater = file.type === 'chunk' && [file.name, ...file.moduleIds].some((part) => later.test(part)) && !file.isEntry
          const isPart = file.type === 'chunk' || /^assets\/(coins-|inter)/.test(name)
          if (isPart && !isLater) shell.push(`/${name}`)
        }
        const code = readFileSync(join(root, 'shell', 'service-worker.js'), 'utf8')
        const source = code
          .replace("'SHELL_VERSION'", () => JSON.stringify(hash.digest('hex').slice(0, 12)))
          .replace("['SHELL_FILES']", () => JSON.stringify(shell))
        this.emitFile({ type: 'asset', fileName: 'sw.js', source })
      },
    },
  }
}
