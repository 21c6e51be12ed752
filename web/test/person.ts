/** A person with a phone, or with a computer: a Chromium page at 390×844 or another size in one language, with the texts of that language. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type LocaleCode, locales } from '@candor/core/protocol/locales.ts'
import { deskNames } from '@candor/core/protocol/wire/own/preferences.ts'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { TestExchange, TestUser } from '../../server/main/test/exchange.ts'
import { browserArgs, findBrowser } from '../../tools/browser.ts'
import { requireFreshBuild } from '../../tools/web-stamp.ts'
import { decimalFormats, type Formats } from '../app/formats.ts'
import { hurry } from './hurry.ts'

const web = resolve(import.meta.dirname, '..')

/** The folders of `locales`, with the tag of each language in the page. */
export const languages = Object.fromEntries(locales.map(({ code, tag }) => [code, tag])) as Readonly<Record<LocaleCode, string>>
export type Lang = LocaleCode

/** Languages of a test: those of `CANDOR_LOCALES` (`en,hk,ca,de,fr,it,pt`), else the given ones. */
export function langsOr(...usual: readonly Lang[]): readonly Lang[] {
  const asked = process.env.CANDOR_LOCALES?.split(',')
  for (const lang of asked ?? []) if (!(lang in languages)) throw new Error(`CANDOR_LOCALES: there is no language ${lang}`)
  return (asked as readonly Lang[] | undefined) ?? usual
}

export type Person = {
  readonly page: Page
  readonly context: BrowserContext
  /** The text of a key in the person's language, with filled placeholders. */
  readonly t: (key: string, values?: Readonly<Record<string, string | number>>) => string
  /** The language, as browsers name it. */
  readonly tag: string
  /** Formats of the person's language. */
  readonly format: Formats
  /** The numbers in a text of the person's language, with or without thousands separators. */
  readonly numbersIn: (text: string) => readonly number[]
  /** Errors of page scripts and the console. */
  readonly complaints: string[]
  go(path: string): Promise<void>
}

export type PersonOptions = {
  /** A folder of `locales`; `hk-hans` is `hk` with Simplified chosen. Default `en`. */
  readonly lang?: Lang
  readonly theme?: 'dark' | 'light'
  /** Whether this is the app's first start on the phone. It then offers tours, and in Chinese asks for the colours of prices. */
  readonly isFirstVisit?: boolean
  /** Width and height of a computer's window. Default: a phone. */
  readonly window?: readonly [width: number, height: number]
  /** The user logged in from the start. Default: a visitor. */
  readonly user?: TestUser
}

/** `flags`: further ones of Chromium. */
export async function startBrowser(flags: readonly string[] = []): Promise<Browser> {
  requireFreshBuild()
  return chromium.launch({ executablePath: findBrowser(), args: [...browserArgs, ...flags] })
}

export async function person(
  browser: Browser,
  url: string,
  { lang = 'en', theme = 'dark', isFirstVisit = false, window, user }: PersonOptions = {},
): Promise<Person> {
  const context = await browser.newContext({
    viewport: { width: window?.[0] ?? 390, height: window?.[1] ?? 844 },
    // Only pictures need the full resolution, which is four times as much to draw.
    deviceScaleFactor: process.env.CANDOR_PICTURES === undefined ? 1 : 2,
    isMobile: window === undefined,
    hasTouch: window === undefined,
    colorScheme: theme,
  })
  // Longer than any step takes on a slow machine.
  context.setDefaultTimeout(120_000)
  await hurry(context)
  const kept: Record<string, string> = { lang: lang === 'hk-hans' ? 'hk' : lang }
  // Later visits are not asked for the colours of prices, and were offered the tours.
  const guide = { owner: user?.uid ?? null, value: { tours: deskNames, hasChecked: false } }
  kept['settings'] = JSON.stringify({
    ...(lang === 'hk-hans' ? { chinese: 'hans' } : {}),
    ...(isFirstVisit ? {} : { updown: 'green', kept: { guide } }),
  })
  if (user !== undefined) {
    await context.addCookies([{ ...cookieOf(user), url }])
    kept['session'] = JSON.stringify((await user.call('GET', '/me')).body)
  }
  // Only a fresh phone gets these values, so that later changes stay.
  await context.addInitScript((items) => {
    if (localStorage.getItem('lang') !== null) return
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
  }, kept)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|WebSocket connection/.test(message.text())) complaints.push(message.text())
  })
  const format = decimalFormats(languages[lang])
  return {
    page,
    context,
    complaints,
    tag: languages[lang],
    format,
    numbersIn: (text) => numbersIn(text, format),
    t: (key, values = {}) => textOf(lang, key).replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => String(values[name] ?? '')),
    async go(path) {
      await page.goto(`${url}/#${path}`)
      await page.locator('main h1').first().waitFor()
    },
  }
}

function numbersIn(text: string, format: Formats): readonly number[] {
  const point = format.number('1.5', 1, 1).charAt(1)
  const groups = point === ',' ? /(?<=\d)[.\s\u202f\u00a0](?=\d{3})/g : /(?<=\d)[,\s\u202f\u00a0](?=\d{3})/g
  return (
    text
      .replace(groups, '')
      .replaceAll(point, '.')
      .match(/\d+(\.\d+)?/g) ?? []
  ).map(Number)
}

const textsBy = new Map<string, ReadonlyMap<string, string>>()

/** All texts of a language by full key, `trade.kind.limit`. */
export function textsOf(lang: string): ReadonlyMap<string, string> {
  const known = textsBy.get(lang)
  if (known !== undefined) return known
  const texts = new Map<string, string>()
  const collect = (prefix: string, node: object): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'string') texts.set(`${prefix}.${key}`, value)
      else collect(`${prefix}.${key}`, value as object)
    }
  }
  const folder = join(web, 'locales', lang)
  for (const file of readdirSync(folder)) collect(file.replace('.json', ''), JSON.parse(readFileSync(join(folder, file), 'utf8')) as object)
  textsBy.set(lang, texts)
  return texts
}

export function textOf(lang: string, key: string): string {
  const text = textsOf(lang).get(key)
  if (text === undefined) throw new Error(`${lang} has no text ${key}`)
  return text
}

/** Chooses the country of residence in its list. */
export async function choosesResidence({ page, t, tag }: Person, country: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(RegExp.escape(t('gates.chooseCountry'))) }).click()
  const name = new Intl.DisplayNames([tag], { type: 'region' }).of(country) ?? country
  const list = page.getByRole('dialog', { name: t('gates.residence') })
  await list.getByLabel(t('gates.searchCountry')).fill(name)
  await list.getByRole('radio', { name }).first().click()
}

/** The newest code sent to an address, from the sandbox's inbox. */
export async function codeFor(url: string, to: string): Promise<string> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch(`${url}/inbox.json?to=${encodeURIComponent(to)}`)
    const found = /\b(\d{6})\b/.exec(JSON.stringify(await answer.json()))?.[1]
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no code arrived for ${to}`)
}

/** Waits until the bots have quoted a book. */
export async function hasBook(exchange: Pick<TestExchange, 'url'>, symbol = 'BTCUSDT'): Promise<void> {
  for (let attempt = 0; attempt < 360; attempt += 1) {
    const depth = (await (await fetch(`${exchange.url}/app/v1/markets/${symbol}/depth?limit=5`)).json()) as {
      bids?: unknown[]
      asks?: unknown[]
    }
    if ((depth.bids?.length ?? 0) >= 3 && (depth.asks?.length ?? 0) >= 3) return
    await new Promise((done) => setTimeout(done, 250))
  }
  throw new Error('the bots did not quote a book in time')
}

/** Gives a user content for every screen: fills, a resting order, a stop. */
export async function trade(user: TestUser): Promise<void> {
  const { body } = await user.call('GET', '/markets/BTCUSDT/depth?limit=5')
  const at = (factor: number): string => (Math.round(Number(body.bids[0][0]) * factor * 10) / 10).toFixed(1)
  const orders = [
    { side: 'buy', type: 'market', spend: '500' },
    { side: 'buy', type: 'limit', price: at(0.98), quantity: '0.01' },
    { side: 'sell', type: 'market', quantity: '0.002', trigger: { kind: 'stop', price: at(0.95), direction: 'falls-to' } },
  ]
  for (const [at, order] of orders.entries()) {
    const { status, body: answer } = await user.call('POST', '/spot/orders', { clientId: `seen-${at}`, symbol: 'BTCUSDT', ...order })
    if (status >= 400) throw new Error(JSON.stringify(answer))
  }
}

/** The session cookie of a user. */
export function cookieOf(user: TestUser): { readonly name: string; readonly value: string } {
  const at = user.cookie.indexOf('=')
  return { name: user.cookie.slice(0, at), value: user.cookie.slice(at + 1).split(';', 1)[0] ?? '' }
}
