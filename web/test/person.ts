/** A person with a phone: a Chromium page at 390×844 in one language, and the words that stand on the screen in it. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserArgs, findBrowser } from '../../tools/browser.ts'

const web = resolve(import.meta.dirname, '..')

export type Person = {
  readonly page: Page
  readonly context: BrowserContext
  /** The text of a key in the person's language, placeholders filled. */
  readonly t: (key: string, values?: Readonly<Record<string, string | number>>) => string
  /** Everything that a page script or the console complained about. */
  readonly complaints: readonly string[]
  go(path: string): Promise<void>
}

export async function startBrowser(): Promise<Browser> {
  if (!existsSync(join(web, 'dist', 'index.html'))) throw new Error('build the app first: npm test does it')
  return chromium.launch({ executablePath: findBrowser(), args: [...browserArgs] })
}

export async function person(browser: Browser, url: string, lang: string, theme: 'dark' | 'light' = 'dark'): Promise<Person> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: theme })
  // Only a fresh phone gets the language: what the person changes later stays.
  await context.addInitScript((chosen) => localStorage.getItem('lang') ?? localStorage.setItem('lang', chosen), lang)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|WebSocket connection/.test(message.text())) complaints.push(message.text())
  })
  return {
    page,
    context,
    complaints,
    t: (key, values = {}) => textOf(lang, key).replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => String(values[name] ?? '')),
    async go(path) {
      await page.goto(`${url}/#${path}`)
      await page.locator('h1').first().waitFor()
    },
  }
}

export function textOf(lang: string, key: string): string {
  const [area = '', ...rest] = key.split('.')
  let node: unknown = JSON.parse(readFileSync(join(web, 'locales', lang, `${area}.json`), 'utf8'))
  for (const part of rest) node = (node as Record<string, unknown>)[part]
  if (typeof node !== 'string') throw new Error(`${lang} has no text ${key}`)
  return node
}

/** The newest code that was sent to an address, from the sandbox's inbox. */
export async function codeFor(url: string, to: string): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const answer = await fetch(`${url}/inbox.json?to=${encodeURIComponent(to)}`)
    const found = /\b(\d{6})\b/.exec(JSON.stringify(await answer.json()))?.[1]
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no code arrived for ${to}`)
}
