/** The files and sizes of a first visit, read from the built app: the files that the browser requests, compressed as they are served. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../tidy/files.ts'

const dist = join(root, 'web', 'dist')
const assets = join(dist, 'assets')

export const tabs = ['/', '/market', '/contract', '/lever', '/Second', '/spot', '/property', '/me'] as const

/** Every path of the app: any of them can be opened from a link. */
export function entries(): readonly string[] {
  return Object.keys(announcements()).filter((key) => key.startsWith('/'))
}

/** What the first load of a path may weigh: decision 41 is about tabs; a form that somebody came for may weigh a little more. */
export function loadBudget(path: string): number {
  return (tabs as readonly string[]).includes(path) ? budget.firstLoad : budget.otherLoad
}

/** In kB (1,000 bytes) of gzip; `requests` without those for data. */
export const budget = { firstLoad: 140, otherLoad: 143, styles: 10, font: 26, chart: 65, requests: 8 } as const

export type FirstLoad = { readonly path: string; readonly lang: string; readonly kB: number; readonly files: readonly string[] }

/** The JavaScript of a first visit to a path in a language: entry, language, screen, the screen's texts, and all their imports. */
export function firstLoad(path: string, lang: string): FirstLoad {
  const texts = (announcedTexts()[path] ?? []).flatMap((area) => announced(`${lang}/${area}`))
  const files = withImports([...entryScripts(), ...announced(lang), ...announced(path), ...texts])
  return { path, lang, kB: sum([...files].map(sizeOf)), files: [...files] }
}

/** The files of the entry, and all their imports. */
export function entryFiles(): ReadonlySet<string> {
  return withImports(entryScripts())
}

/** The files that the page preloads, before any code runs, for a language, a path, or an area of texts (`de/orders`). */
export function announced(key: string): readonly string[] {
  const files = announcements()[key]
  if (files === undefined) throw new Error(`index.html lists no files for ${key}`)
  return files.map((file) => basename(file))
}

/** The areas of texts that the page preloads for each path. */
export function announcedTexts(): Readonly<Record<string, readonly string[]>> {
  return announcements()['texts'] as unknown as Readonly<Record<string, readonly string[]>>
}

let known: Readonly<Record<string, readonly string[]>> | undefined

function announcements(): Readonly<Record<string, readonly string[]>> {
  known ??= readAnnouncements()
  return known
}

function readAnnouncements(): Readonly<Record<string, readonly string[]>> {
  const table = /const modules = (\{.*\})$/m.exec(html())?.[1]
  if (table === undefined) throw new Error('index.html does not list the files of a path')
  return JSON.parse(table) as Readonly<Record<string, readonly string[]>>
}

function entryScripts(): readonly string[] {
  return [...html().matchAll(/<script type="module"[^>]*src="\/([^"]+)"/g)].map(([, file]) => basename(file ?? ''))
}

function withImports(names: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const imported of importsOf(file)) visit(imported)
  }
  for (const name of names) visit(name)
  return files
}

/** Sizes of the inline styles, the font, and the chart's library with the files that only it imports. */
export function otherSizes(): { readonly styles: number; readonly font: number; readonly chart: number; readonly page: number } {
  const page = html()
  const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, css]) => css ?? '').join('')
  const named = (pattern: RegExp): Buffer => {
    const file = readdirSync(assets).find((name) => pattern.test(name))
    if (file === undefined) throw new Error(`no built file matches ${pattern}`)
    return readFileSync(join(assets, file))
  }
  return {
    styles: gzip(Buffer.from(styles)),
    // The font is compressed already.
    font: named(/\.woff2$/).length / 1_000,
    chart: gzip(readFileSync(join(assets, chartFile()))),
    page: gzip(Buffer.from(page)),
  }
}

/** The file of the chart's library. Each language has a file of that name too, but a small one. */
export function chartFile(): string {
  const file = chunks().find(({ name, text }) => name.startsWith('chart-') && text.length > 50_000)
  if (file === undefined) throw new Error('no built file is the chart')
  return file.name
}

/** Every built script with its text. */
export function chunks(): readonly { readonly name: string; readonly text: string }[] {
  return readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, text: readFileSync(join(assets, name), 'utf8') }))
}

/** Most files are of many first loads, so each is read and compressed once. */
const sizes = new Map<string, number>()

function sizeOf(file: string): number {
  const size = sizes.get(file) ?? gzip(readFileSync(join(assets, file)))
  sizes.set(file, size)
  return size
}

const imports = new Map<string, readonly string[]>()

function importsOf(file: string): readonly string[] {
  const found = imports.get(file) ?? readImports(file)
  imports.set(file, found)
  return found
}

function readImports(file: string): readonly string[] {
  const text = readFileSync(join(assets, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)].map(([, name]) => name ?? '')
}

function html(): string {
  const file = join(dist, 'index.html')
  if (!existsSync(file)) throw new Error('the app is not built: node tools/build-web.ts')
  return readFileSync(file, 'utf8')
}

function gzip(bytes: Buffer): number {
  return gzipSync(bytes, { level: 9 }).length / 1_000
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
