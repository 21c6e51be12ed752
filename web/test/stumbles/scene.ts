/** What the script of a stumble works with: a person with a phone, taps instead of clicks, and a picture of each step. */
import type { Locator } from 'playwright-core'
import type { TestUser } from '../../../server/main/test/exchange.ts'
import type { Lang, Person } from '../person.ts'
import type { World } from './world.ts'

export type Scene = Person & {
  readonly lang: Lang
  readonly user: TestUser
  readonly world: World
  /** Saves a picture, `<number>-<name>-<language>.png`. */
  see(name: string): Promise<void>
}

export type Stumble = {
  readonly number: number
  /** What the person does and gets, for the report. */
  readonly does: string
  /** Funds of the Spot account. Default: 10,000 USDT and 1 BTC. */
  readonly funds?: Readonly<Record<string, string>>
  /** Whether the app offers tours, as on the first visit. */
  readonly isFirstVisit?: boolean
  /** `scene.user` is logged in. */
  run(scene: Scene): Promise<void>
}

export function ticketOf({ page, t }: Person): Locator {
  return page.getByRole('region', { name: t('trade.ticket') })
}

/** A number field by its text without the coin. */
export function fieldOf({ t }: Person, inside: Locator, name: string): Locator {
  return inside.getByLabel(new RegExp(`^${RegExp.escape(t(name))} `)).first()
}

/** Types into a field with the phone's keys after a tap. */
export async function types(field: Locator, text: string): Promise<void> {
  await field.tap()
  await field.press('ControlOrMeta+a')
  await field.pressSequentially(text)
}

/** Pastes a text over what stands in a field. */
export async function pastes(person: Person, field: Locator, text: string): Promise<void> {
  await field.tap()
  await field.press('ControlOrMeta+a')
  await person.page.keyboard.insertText(text)
  await field.blur()
}

/** Chooses the kind of a ticket's order. */
export async function choosesKind(person: Person, from: string, to: string): Promise<void> {
  const { page, t } = person
  await ticketOf(person)
    .getByRole('button', { name: t(`trade.kind.${from}`), exact: true })
    .tap()
  await page
    .getByRole('radio', { name: t(`trade.kind.${to}`) })
    .first()
    .tap()
}

/** A finger that moves rests so long before it is lifted. */
const restMs = 150

/** A finger on a part of the screen: it stays for `ms`, or moves by `x` and `y` pixels. */
export async function touches(
  { page }: Person,
  target: Locator,
  { ms = 0, x = 0, y = 0 }: { readonly ms?: number; readonly x?: number; readonly y?: number },
): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (box === null) throw new Error('there is nothing to touch')
  const cdp = await page.context().newCDPSession(page)
  const from = { x: box.x + box.width * (x < 0 ? 0.8 : 0.5), y: box.y + box.height / 2 }
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: readonly { readonly x: number; readonly y: number }[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: [...touchPoints] })
  await send('touchStart', [from])
  for (let step = 1; step <= 8 && (x !== 0 || y !== 0); step += 1)
    await send('touchMove', [{ x: from.x + (x * step) / 8, y: from.y + (y * step) / 8 }])
  // Lifted on the move, it throws the page, and the browser takes the next tap for the end of that movement.
  const rest = x === 0 && y === 0 ? ms : Math.max(ms, restMs)
  if (rest > 0) await page.waitForTimeout(rest)
  await send('touchEnd', [])
  await cdp.detach()
}
