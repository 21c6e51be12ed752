/**
 * Puts two things inline into index.html: the script that runs before the first paint, and all styles (the page needs
 * no second request to look right). Their hashes go to `csp.json`, so that the pages' policy can name them.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const place = '<!-- before-paint -->'

export function beforePaint(): Plugin {
  let root = ''
  let isBuild = false
  return {
    name: 'candor:before-paint',
    configResolved(config) {
      root = config.root
      isBuild = config.command === 'build'
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => (isBuild ? html : html.replace(place, `<script>${script(root, {})}</script>`)),
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') return
        const modules: Record<string, string> = {}
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk' || file.facadeModuleId === null) continue
          const lang = /\/locales\/([\w-]+)\.ts$/.exec(file.facadeModuleId)?.[1]
          const screen = /\/screens\/([\w-]+)\/screen\.tsx$/.exec(file.facadeModuleId)?.[1]
          if (lang !== undefined) modules[lang] = `/${file.fileName}`
          if (screen !== undefined)
            modules[screen === 'home' ? '/' : `/${screen.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}`] =
              `/${file.fileName}`
        }
        const code = script(root, modules)
        let html = String(page.source).replace(place, () => `<script>${code}</script>`)
        const styles: string[] = []
        html = html.replace(/\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (tag: string, name: string) => {
          const sheet = bundle[name]
          if (sheet?.type !== 'asset') return tag
          const css = String(sheet.source).trim()
          styles.push(css)
          delete bundle[name]
          return `<style>${css}</style>`
        })
        page.source = html.replace(/\n\s+/g, '\n')
        const source = JSON.stringify({ scripts: [hashOf(code)], styles: styles.map(hashOf) })
        this.emitFile({ type: 'asset', fileName: 'csp.json', source })
      },
    },
  }
}

function script(root: string, modules: Readonly<Record<string, string>>): string {
  return readFileSync(join(root, 'app', 'before-paint.js'), 'utf8')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\n\s*/g, '\n')
    .trim()
    .replace('MODULES', () => JSON.stringify(modules))
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
