/** Opens the places of the checklist one after the other and says what is wrong with each. */
import type { Page } from 'playwright-core'
import { still, violations } from './axe.ts'
import type { Place } from './checklist.ts'
import { type Lang, languages, type Person, textsOf } from './person.ts'
import { withTabBar } from './routes.ts'

export type Size = { readonly width: number; readonly height: number }
export type Theme = 'dark' | 'light'
export type View = { readonly size: Size; readonly theme: Theme }

const sizes: readonly Size[] = [
  { width: 390, height: 844 },
  { width: 320, height: 640 },
]

/** The views of every screen: the usual one first. */
export const views: readonly View[] = sizes.flatMap((size) => (['dark', 'light'] as const).map((theme) => ({ size, theme })))

export type WalkOptions = {
  readonly lang: Lang
  /** Languages in which each place is looked at once more, in the first view. */
  readonly also: readonly Lang[]
  /** How often each place is looked at; the first view is also the one in which the taps of the place are made. */
  readonly views: readonly View[]
  /** Whether each theme is checked for accessibility faults. */
  readonly hasAxe: boolean
  /** Languages in which what appears after a tap is looked at. */
  readonly tapped: readonly Lang[]
  /** Languages in which text is also shown at twice its size. */
  readonly large: readonly Lang[]
  /** The number of the presale that has ended. */
  readonly ended: number
  /** The id of the customer's firm. */
  readonly firm: string
  /** The folder for pictures, and how their names begin. */
  readonly pictures?: { readonly folder: string; readonly name: string } | undefined
}

/** One sentence for each fault: of screens, of the tab bar, and of text at twice its size. */
export type Faults = { readonly screens: string[]; readonly tabBar: string[]; readonly largeText: string[] }

export async function walk(someone: Person, places: readonly Place[], options: WalkOptions): Promise<Faults> {
  const { page, go, complaints } = someone
  const { lang, also, tapped, large } = options
  const wrong: Faults = { screens: [], tabBar: [], largeText: [] }
  for (const place of places) {
    const path = place.path.replace('{ended}', String(options.ended)).replace('{firm}', options.firm)
    const note = (of: keyof Faults, faults: readonly string[]): void => void wrong[of].push(...faults.map((fault) => `${path}: ${fault}`))
    try {
      if (page.url() === 'about:blank') await go(path)
      await open(page, path)
      note('tabBar', await tabBarFault(page, path))
      for (const one of [lang, ...also]) {
        const noteIn = (of: keyof Faults, faults: readonly string[]): void =>
          note(
            of,
            faults.map((fault) => `${one}: ${fault}`),
          )
        await speak(someone, one)
        noteIn('screens', await contents(page, place, one))
        noteIn('screens', one === lang ? await looks(page, path, options) : await tooWide(page))
        if (large.includes(one)) noteIn('largeText', await clipped(page))
      }
      // Taps change what a screen shows, so they come last, on a screen of its own in each language.
      for (const [n, one] of tapped.filter(() => place.steps !== undefined).entries()) {
        await speak(someone, one)
        if (n > 0) await open(page, '/lang')
        await open(page, path)
        note(
          'screens',
          (await steps(page, place, one)).map((fault) => `${one}: ${fault}`),
        )
      }
      await speak(someone, lang)
    } catch (error) {
      note('screens', [String(error)])
      await page.keyboard.press('Escape')
    }
    note('screens', complaints.splice(0))
  }
  return wrong
}

/** Chooses the language on another page of the app, which this one follows. */
async function speak({ page, context }: Person, lang: Lang): Promise<void> {
  if ((await page.evaluate(() => document.documentElement.lang)) === languages[lang]) return
  const other = context.pages().find((one) => one !== page) ?? (await context.newPage())
  if (other.url() === 'about:blank') await other.goto(new URL('/manifest.webmanifest', page.url()).href)
  const [chosen, chinese] = lang === 'hk-hans' ? ['hk', 'hans'] : [lang, 'hant']
  const store = (items: readonly string[]): void => {
    const settings = JSON.parse(localStorage.getItem('settings') ?? '{}') as object
    localStorage.setItem('settings', JSON.stringify({ ...settings, chinese: items[1] }))
    localStorage.setItem('lang', items[0]!)
  }
  await other.evaluate(store, [chosen, chinese] as string[])
  await page.waitForFunction((tag) => document.documentElement.lang === tag, languages[lang])
}

/** Opens a path like a tap does, without a new page, and waits until the skeletons are gone. */
export async function open(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => location.assign(`#${to}`), path)
  const place = path === '/deal' ? '#/contract' : `#${path}`
  const isDrawn = (to: string): boolean =>
    location.hash.startsWith(to) && document.querySelector('main h1') !== null && document.querySelector('main .skeleton') === null
  await page.waitForFunction(isDrawn, place, { timeout: 60_000 }).catch((cause: unknown) => {
    throw new Error(`${path} goes on waiting for data`, { cause })
  })
}

export type Seen = {
  readonly lang: string
  readonly headings: number
  readonly texts: readonly string[]
  readonly hrefs: readonly string[]
}

/** The visible texts, one by one and in lines, with those that only screen readers read. Runs in the page. */
export function seen(): Seen {
  const texts = document.body.innerText.split('\n')
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) if (nodes.currentNode.parentElement?.checkVisibility()) texts.push(nodes.currentNode.textContent ?? '')
  const attributes = ['aria-label', 'placeholder', 'title', 'alt']
  for (const element of document.querySelectorAll('[aria-label],[placeholder],[title],[alt]'))
    texts.push(...attributes.map((name) => element.getAttribute(name) ?? ''))
  // Parts of one element together, because placeholders are filled with elements of their own.
  for (const element of document.querySelectorAll('p, button, a, span, label, h1, h2, h3, dt, dd'))
    if (element.childElementCount > 0 && element.checkVisibility()) texts.push(element.textContent ?? '')
  return {
    lang: document.documentElement.lang,
    headings: document.querySelectorAll('h1').length,
    texts: [...new Set(texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()))],
    hrefs: [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href')!.slice(1).split('?', 1)[0]!),
  }
}

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')
const waitMs = 15_000

/** What is missing of what the checklist asks for, once the data had time to come, and what should not be there. */
async function contents(page: Page, { texts, links = '', parts = [] }: Omit<Place, 'path'>, lang: Lang): Promise<readonly string[]> {
  const until = performance.now() + waitMs
  for (;;) {
    const found = await page.evaluate(seen)
    const missing = words(texts).filter((key) => !found.texts.some((text) => patternOf(lang, key).test(text)))
    const dead = words(links).filter((path) => !found.hrefs.includes(path === '/deal' ? '/contract' : path))
    const empty: string[] = []
    for (const part of parts) if ((await page.locator(part).count()) === 0) empty.push(part)
    const lacks = [...missing, ...dead.map((path) => `a link to ${path}`), ...empty].map((one) => `lacks ${one}`)
    if (lacks.length === 0 || performance.now() > until) return [...lacks, ...problemsOf(found, lang)]
    await page.waitForTimeout(100)
  }
}

const patterns = new Map<string, RegExp>()

/** The whole text of a key, with anything in place of its placeholders. */
function patternOf(lang: Lang, key: string): RegExp {
  const known = patterns.get(`${lang} ${key}`)
  if (known !== undefined) return known
  const text = textsOf(lang).get(key)
  if (text === undefined) throw new Error(`${lang} has no text ${key}`)
  const pieces = text.replaceAll(/\s+/g, ' ').split(/\{\{[^}]*\}\}/)
  const pattern = new RegExp(`^${pieces.map((piece) => RegExp.escape(piece)).join('.+')}( \\d+)?$`, 's')
  patterns.set(`${lang} ${key}`, pattern)
  return pattern
}

/** Another language than it should be, keys of texts, English parts, and headings. */
export function problemsOf(seen: Seen, lang: Lang): readonly string[] {
  const found: string[] = []
  if (seen.lang !== languages[lang]) found.push(`the page says it is in ${seen.lang}`)
  if (seen.headings !== 1) found.push(`${seen.headings} headings of the first level`)
  const text = seen.texts.join('\n')
  const raw = rawKey.exec(text)
  if (raw !== null) found.push(`the raw key ${raw[0]}`)
  if (lang === 'en') return found
  const { pieces, wholes } = englishOnly(lang)
  for (const english of pieces) if (text.includes(english)) found.push(`English: ${english}`)
  for (const one of seen.texts) if (wholes.has(one)) found.push(`English: ${one}`)
  return found
}

const areas = [...new Set([...textsOf('en').keys()].map((key) => key.split('.')[0]))]
const rawKey = new RegExp(`\\b(${areas.join('|')})\\.(?!(?:com|mjs)\\b)[a-z]\\w+(\\.[\\w-]+)*`)

type English = { readonly pieces: readonly string[]; readonly wholes: ReadonlySet<string> }
const englishBy = new Map<Lang, English>()

/** Parts of English texts, longer than twelve characters, that this language doesn't contain, and whole texts that it doesn't have. */
function englishOnly(lang: Lang): English {
  const known = englishBy.get(lang)
  if (known !== undefined) return known
  const own = [...textsOf(lang).values()]
  const [all, joined] = [new Set(own), own.join('\n')]
  const english = [...textsOf('en').values()]
  const pieces = english.flatMap((text) => text.split(/\{\{\s*\w+\s*\}\}/)).map((piece) => piece.trim())
  const foreign = {
    pieces: pieces.filter((piece) => piece.length > 12 && !joined.includes(piece)),
    wholes: new Set(english.filter((text) => !text.includes('{{') && !all.has(text))),
  }
  englishBy.set(lang, foreign)
  return foreign
}

/** The screen before may still stand for a moment after the path has changed, so what is wanted may come later. */
async function tabBarFault(page: Page, path: string): Promise<readonly string[]> {
  const isWanted = withTabBar.includes(path.split('?', 1)[0]!)
  const isRight = (wanted: boolean): boolean => (document.querySelector('nav a[href="#/property"]') !== null) === wanted
  return await page.waitForFunction(isRight, isWanted, { timeout: 10_000 }).then(
    () => [],
    () => [isWanted ? 'has no tab bar' : 'has a tab bar'],
  )
}

function tooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide at ${clientWidth}`] : []
  })
}

/** Every view of a screen. Its parts are the same in all sizes, so that accessibility is checked once for each theme. */
async function looks(page: Page, path: string, { views: all, hasAxe, pictures }: WalkOptions): Promise<readonly string[]> {
  const found: string[] = []
  for (const { size, theme } of all) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: theme })
    found.push(...(await tooWide(page)))
    // Only colours differ between the themes.
    const rules = theme === 'dark' ? [] : ['color-contrast']
    if (hasAxe && size === sizes[0]) found.push(...(await violations(page, [], rules)).map((line) => `${theme}: ${line}`))
    if (pictures !== undefined) {
      await still(page)
      const name = path === '/' ? 'home' : path.slice(1).replaceAll(/\W/g, '_')
      await page.screenshot({ path: `${pictures.folder}/${pictures.name}-${size.width}-${theme}-${name}.png` })
    }
  }
  await page.setViewportSize(all[0]!.size)
  await page.emulateMedia({ colorScheme: all[0]!.theme })
  return found
}

/** Taps what the checklist names, looks at what appears, and closes it. */
async function steps(page: Page, { steps: all = [] }: Place, lang: Lang): Promise<readonly string[]> {
  const found: string[] = []
  for (const step of all) {
    if ('row' in step) await page.locator(step.row).first().click()
    else await tapOf(page, textsOf(lang).get(step.tap)!).click()
    const name = 'row' in step ? 'row' : step.tap
    found.push(...(await contents(page, step, lang)).map((problem) => `${name}: ${problem}`))
    const sheet = page.getByRole('dialog')
    if ((await sheet.count()) === 0) continue
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
  }
  return found
}

function tapOf(page: Page, name: string) {
  const [first, ...others] = (['tab', 'button', 'radio'] as const).map((role) =>
    page.getByRole(role, { name: new RegExp(`^${RegExp.escape(name)}( \\d+)?$`) }),
  )
  return others.reduce((any, one) => any.or(one), first!).first()
}

/** Buttons and links whose text is cut at twice its size, and pages that then scroll sideways. */
function clipped(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
    const found: string[] = []
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    if (wide > 0) {
      const beyond = [...document.querySelectorAll<HTMLElement>('body *')].filter(
        (element) => element.getBoundingClientRect().right > innerWidth + 1 && element.closest('.no-scrollbar') === null,
      )
      found.push(`${wide} px too wide: ${beyond.map((element) => element.innerText?.slice(0, 40)).findLast((text) => text)}`)
    }
    for (const element of document.querySelectorAll<HTMLElement>('main button, main a, nav a')) {
      const box = element.getBoundingClientRect()
      const text = element.innerText.trim()
      if (box.width === 0 || text === '' || element.closest('.no-scrollbar') !== null || element.closest('.sr-only') !== null) continue
      if (element.scrollHeight > Math.ceil(box.height) + 2 && getComputedStyle(element).overflow !== 'visible') found.push(`cut: ${text}`)
      if (box.right > innerWidth + 1 || box.left < -1) found.push(`off the screen: ${text}`)
    }
    document.documentElement.style.fontSize = ''
    return found
  })
}
