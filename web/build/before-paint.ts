/**
 * Inlines into index.html what the first paint needs: the script before it, the headline of the start page, and all styles, so that the
 * page needs no second request to look right. Their hashes are written to `csp.json` for the pages' content security policy.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { locales } from '@candor/core/protocol/locales.ts'
import type { Plugin, Rolldown } from 'vite'
import { textPercents } from '../app/preferences/layout.ts'

const place = '<!-- before-paint -->'
const laterPlace = '<!-- first-paint -->'

/** Locale and tag by language and script: `{ hk: { '': ['hk', 'zh-Hant-HK'], hans: ['hk-hans', 'zh-Hans'] } }`. */
const scripts = scriptsOf()

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
      handler: (html) =>
        isBuild
          ? html
          : html.replace(
              place,
              `<script>${inline(root, 'before-paint.js', { MODULES: { texts: {} }, LOCALES: scripts, SIZES: textPercents })}</script>`,
            ),
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') return
        const modules = filesOf(bundle, String(page.source), root)
        const code = inline(root, 'before-paint.js', { MODULES: modules, LOCALES: scripts, SIZES: textPercents })
        const laterCode = inline(root, 'first-paint.js', { HEADLINES: headlines(root) })
        let html = String(page.source)
          .replace(place, () => `<script>${code}</script>`)
          .replace(laterPlace, () => `<script>${laterCode}</script>`)
        const styles: string[] = []
        html = html.replace(/\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (tag: string, name: string) => {
          const sheet = bundle[name]
          if (sheet?.type !== 'asset') return tag
          const css = String(sheet.source).trim()
          styles.push(css)
          delete bundle[name]
          return `<style>${css}</style>`
        })
        const font = Object.keys(bundle).find((name) => name.endsWith('.woff2'))
        const preload = `<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin>`
        if (font !== undefined) html = html.replace('</head>', () => `${preload}</head>`)
        page.source = html.replace(/\n\s+/g, '\n')
        const source = JSON.stringify({ scripts: [hashOf(code), hashOf(laterCode)], styles: styles.map(hashOf) })
        this.emitFile({ type: 'asset', fileName: 'csp.json', source })
      },
    },
  }
}

/** A script of `shell/` for the page: without comments, with names in capitals replaced by data. */
function inline(root: string, file: string, data: Readonly<Record<string, unknown>>): string {
  const code = readFileSync(join(root, 'shell', file), 'utf8')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\n\s*/g, '\n')
    .trim()
  return Object.entries(data).reduce((text, [name, value]) => text.replace(new RegExp(`\\b${name}\\b`), () => JSON.stringify(value)), code)
}

/**
 * Files that each language, path and area of texts needs besides the entry, by the names used in `before-paint.js`: `de`, `/spot`,
 * `de/orders`; and under `texts` the areas of each path. The lists include imported files, because a browser preloads only the files
 * it is told.
 */
function filesOf(bundle: Rolldown.OutputBundle, page: string, root: string): Readonly<Record<string, unknown>> {
  const { paths, areas } = tablesOf(root)
  const isNeeded = new Set(Object.values(areas).flat())
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const withImports = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name)) return found
    found.add(name)
    for (const next of chunks.find((chunk) => chunk.fileName === name)?.imports ?? []) withImports(next, found)
    return found
  }
  const entry = new Set([...page.matchAll(/src="\/(assets\/[^"]+\.js)"/g)].flatMap(([, name = '']) => [...withImports(name)]))
  const files: Record<string, unknown> = {}
  for (const { facadeModuleId, fileName } of chunks) {
    if (facadeModuleId === null) continue
    const lang = /virtual:locale\/([\w-]+)$/.exec(facadeModuleId)?.[1]
    const [, tongue = '', area = ''] = /\/locales\/([\w-]+)\/(\w+)\.json$/.exec(facadeModuleId) ?? []
    const screen = /\/screens\/([\w-]+)\/screen\.tsx$/.exec(facadeModuleId)?.[1] ?? ''
    const key = lang ?? paths.get(screen) ?? (isNeeded.has(area) ? `${tongue}/${area}` : undefined)
    if (key !== undefined) files[key] = [...withImports(fileName)].filter((name) => !entry.has(name)).map((name) => `/${name}`)
  }
  return { ...files, texts: areas }
}

/** Reads the app's own tables: the folder of each path, `'/Second': 'option',`, and its texts, `'/spot': ['orders'],`. */
function tablesOf(root: string): {
  readonly paths: ReadonlyMap<string, string>
  readonly areas: Readonly<Record<string, readonly string[]>>
} {
  const table = readFileSync(join(root, 'app', 'routes.ts'), 'utf8')
  const paths = [...table.matchAll(/^ {2}'(\/\w*)': '([\w-]+)',$/gm)].map(([, path = '', folder = '']) => [folder, path] as const)
  const areas = [...table.matchAll(/^ {2}'(\/\w*)': \[([^\]]+)\],$/gm)].map(
    ([, path = '', names = '']) => [path, [...names.matchAll(/\w+/g)].map(([name]) => name)] as const,
  )
  return { paths: new Map(paths), areas: Object.fromEntries(areas) }
}

function scriptsOf(): Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> {
  const found: Record<string, Record<string, readonly [string, string]>> = {}
  for (const one of locales) {
    const { code, script } = 'within' in one ? one.within : { code: one.code, script: '' }
    found[code] = { ...found[code], [script]: [one.code, one.tag] }
  }
  return found
}

function headlines(root: string): Readonly<Record<string, readonly [string, string]>> {
  const entries = locales.map(({ tag, code }) => {
    const home = JSON.parse(readFileSync(join(root, 'locales', code, 'home.json'), 'utf8')) as {
      readonly headline: string
      readonly lead: string
    }
    return [tag, [home.headline, home.lead]] as const
  })
  return Object.fromEntries(entries)
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
