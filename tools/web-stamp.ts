/** Tells whether an app's `dist` was built from the present sources: the build leaves a hash of them there. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './tidy/files.ts'

/** The apps for browsers, with what their builds read. */
const sources = {
  web: ['web', 'client', 'core', 'package-lock.json', 'LICENSE'],
  console: ['console', 'core/protocol', 'web/locales', 'web/assets', 'web/build', 'package-lock.json'],
} as const
export type BrowserApp = keyof typeof sources
export const browserApps = Object.keys(sources) as readonly BrowserApp[]

const skipped = new Set(['dist', 'node_modules', 'test'])
export const stampFile = (app: BrowserApp): string => join(root, app, 'dist', '.stamp')

/** throws  Error when the app is not built, or its sources have changed since */
export function requireFreshBuild(app: BrowserApp = 'web'): void {
  if (!isFresh(app, stampOfSources(app))) throw new Error(`${app}/dist is not built from the present sources. Run: node tools/build-web.ts`)
}

export function isFresh(app: BrowserApp, stamp: string): boolean {
  return existsSync(stampFile(app)) && readFileSync(stampFile(app), 'utf8') === stamp
}

/** A hash over names and contents of all files that the build reads, in a fixed order. */
export function stampOfSources(app: BrowserApp): string {
  const hash = createHash('sha256')
  const visit = (path: string): void => {
    const name = path.split('/').at(-1) ?? ''
    if (skipped.has(name) || name.endsWith('.test.ts')) return
    const entries = entriesOf(path)
    if (entries === undefined) hash.update(relative(root, path)).update(readFileSync(path))
    else for (const entry of entries) visit(join(path, entry))
  }
  for (const place of sources[app]) if (existsSync(join(root, place))) visit(join(root, place))
  return hash.digest('hex')
}

function entriesOf(path: string): readonly string[] | undefined {
  try {
    return readdirSync(path).sort()
  } catch {
    return undefined
  }
}
