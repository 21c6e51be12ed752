/** A person with a phone in some browser: finds things by role and name, taps and types, in one language. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decimalFormats, type Formats } from '../../web/app/formats.ts'
import type { TestUser } from '../../server/main/test/exchange.ts'
import { cookieOf, type Lang, languages, textOf } from '../../web/test/person.ts'
import { type Driver, pause } from './driver.ts'
import { type Found, look, type Role, slides, type What } from './look.ts'

/** Longer than any step takes on a slow machine, an order of Second of half a minute included. */
const stepMaxMs = 90_000
const key = (name: string): readonly object[] => [
  { type: 'keyDown', value: name },
  { type: 'keyUp', value: name },
]

export class Hand {
  readonly driver: Driver
  readonly url: string
  readonly lang: Lang
  readonly format: Formats
  readonly #pictures: string

  /** `pictures`: the folder that they are written to. */
  constructor(driver: Driver, { url, lang, pictures }: { readonly url: string; readonly lang: Lang; readonly pictures: string }) {
    this.driver = driver
    this.url = url
    this.lang = lang
    this.format = decimalFormats(languages[lang])
    this.#pictures = pictures
  }

  /** The text of a key in the person's language, with filled placeholders. */
  t(key: string, values: Readonly<Record<string, string | number>> = {}): string {
    return textOf(this.lang, key).replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => String(values[name] ?? ''))
  }

  /** The app on a phone that was used before, and on which `user` is logged in, or nobody. */
  async begins(user?: TestUser): Promise<void> {
    const settings = JSON.stringify({
      updown: 'green',
      kept: { guide: { owner: null, value: { tours: ['spot', 'perp', 'margin', 'option'], hasChecked: false } } },
    })
    // This page runs no code.
    await this.driver.load(`${this.url}/NOTICE.txt`)
    const store = (items: Readonly<Record<string, string>>): void => {
      localStorage.clear()
      for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
    }
    const session = user === undefined ? {} : { session: JSON.stringify((await user.call('GET', '/me')).body) }
    if (user !== undefined) await this.driver.cookie(cookieOf(user))
    await this.driver.run(store, { lang: this.lang, settings, ...session })
    await this.driver.load(`${this.url}/#/`)
    await this.isDrawn('/')
  }

  /** Opens a path like a tap does, without a new page. */
  async go(path: string): Promise<void> {
    await this.driver.run((to) => location.assign(`#${to}`), path)
    await this.isDrawn(path)
  }

  /** Waits until a screen is there and its skeletons are gone. */
  async isDrawn(path: string): Promise<void> {
    const isDrawn = (to: string): boolean =>
      location.hash.startsWith(`#${to}`) && document.querySelector('main h1') !== null && document.querySelector('main .skeleton') === null
    await this.until(`${path} is drawn`, () => this.driver.run(isDrawn, path))
  }

  sees(what: What): Promise<Found> {
    return this.#found(what, ({ count }) => count > 0, false)
  }

  async gone(what: What): Promise<void> {
    await this.#found(what, ({ count }) => count === 0, false)
  }

  /** Waits until a finger would meet it, and taps. */
  async taps(what: What): Promise<void> {
    // Sheets slide and lists are filtered: a place counts once it was the same four times.
    await this.until('no sheet slides', async () => !(await this.driver.run(slides)))
    let last = { x: -1, y: -1, text: '' }
    let still = 0
    const { x, y } = await this.#found(
      what,
      (found) => {
        still = found.x === last.x && found.y === last.y && found.text === last.text ? still + 1 : 0
        last = found
        return still >= 3 && found.isHit && !found.isDisabled
      },
      true,
    )
    const actions = [
      { type: 'pointerMove', x, y, duration: 0 },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    await this.driver.act([{ type: 'pointer', id: 'finger', parameters: { pointerType: 'mouse' }, actions }])
  }

  /** Types into a field in place of what is there. */
  async fills(what: What, text: string): Promise<void> {
    const selects = (): boolean => {
      const field = document.activeElement
      if (field instanceof HTMLInputElement) field.select()
      return field instanceof HTMLInputElement
    }
    // A field that moved away under the finger is tapped again.
    await this.until(`${JSON.stringify(what)} has the focus`, async () => {
      await this.taps(what)
      return this.driver.run(selects)
    })
    await this.driver.act([{ type: 'key', id: 'keys', actions: [...text].flatMap(key) }])
  }

  /** Presses a key by its number in W3C WebDriver. */
  async presses(name: 'Escape' | 'Enter' | 'Tab'): Promise<void> {
    const codes = { Escape: '\uE00C', Enter: '\uE007', Tab: '\uE004' }
    await this.driver.act([{ type: 'key', id: 'keys', actions: key(codes[name]) }])
  }

  async pictured(name: string): Promise<string> {
    const file = `${this.driver.name.split(' ')[0]!.toLowerCase()}-${this.lang}-${name}.png`
    writeFileSync(join(this.#pictures, file), await this.driver.picture())
    return file
  }

  async #found(what: What, isGood: (found: Found) => boolean, scrolls: boolean): Promise<Found> {
    let found: Found | undefined
    await this.until(JSON.stringify(what), async () => {
      found = await this.driver.run(look, what, scrolls)
      return isGood(found)
    })
    return found!
  }

  /** Looks again and again, as long as a step may take. */
  async until(said: string, isDone: () => Promise<boolean>): Promise<void> {
    const until = performance.now() + stepMaxMs
    while (!(await isDone())) {
      if (performance.now() > until) throw new Error(`waited in vain: ${said}`)
      await pause(50)
    }
  }
}

/** `named('button', 'Buy BTC')`, and what is inside another part. */
export const named = (role: Role, name: string, inside?: What): What => ({ role, name, ...(inside === undefined ? {} : { inside }) })
/** A field whose label begins with this, because its unit follows. */
export const field = (label: string, inside?: What): What => ({ ...named('field', `${label} `, inside), by: 'start' })
/** Any element that has this text. */
export const text = (part: string, inside?: What): What => ({ ...named('text', part, inside), by: 'part' })
