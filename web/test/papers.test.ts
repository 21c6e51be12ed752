/** The identity check: its steps, the camera, the sending, a rejection. `CANDOR_LOCALES=en,de`, `CANDOR_PICTURES=folder`. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { WirePaperFault } from '@candor/core/protocol/wire/papers.ts'
import type { Browser, Page } from 'playwright-core'
import { certifyInCore, revokeInCore } from '../../server/main/certified.ts'
import { openObjects } from '../../server/main/photos.ts'
import { serverKeysOf } from '../../server/main/server-key.ts'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { PapersDesk } from '../../server/papers/desk.ts'
import { picture } from '../../server/papers/test/pictures.ts'
import { langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser(['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'])
  exchange = await startExchange({ seed: 'papers', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const whole = { kind: 'id-card', country: 'DE', name: 'ERIKA MUSTERMANN', born: '1964-08-12', number: 'L01X00T47' } as const

for (const lang of langsOr('de'))
  test(`UI-PAPERS-006: in ${lang}, a person fills the steps, goes on after a reload, sends the check once and sees what was sent`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user()
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'papers', lang)
    const next = page.getByRole('button', { name: t('common.next'), exact: true })
    await go('/me')
    await page.getByRole('link', { name: new RegExp(RegExp.escape(t('me.papers'))) }).click()
    await page.getByText(t('papers.privacySeen')).waitFor()
    await see('start')
    await page.getByRole('button', { name: t('papers.start'), exact: true }).click()

    await next.click()
    await page.getByText(t('papers.kindMissing')).waitFor()
    await see('document-missing')
    await page.getByText(t('papers.idCard'), { exact: true }).click()
    await chooseCountry(someone)
    await see('document')
    await next.click()

    await page.getByLabel(t('papers.name'), { exact: true }).fill('1')
    assert.equal(await page.getByText(t('papers.nameWrong')).count(), 0, 'no error while typing')
    await page.getByLabel(t('papers.number'), { exact: true }).focus()
    await page.getByText(t('papers.nameWrong')).waitFor()
    await next.click()
    await page.getByText(t('papers.bornMissing')).waitFor()
    await see('data-wrong')
    await page.getByLabel(t('papers.name'), { exact: true }).fill(whole.name)
    await page.getByLabel(t('papers.day'), { exact: true }).fill('12')
    await page.getByLabel(t('papers.month'), { exact: true }).fill('8')
    await page.getByLabel(t('papers.year'), { exact: true }).fill('1964')
    await page.getByLabel(t('papers.number'), { exact: true }).fill(whole.number)
    await next.click()

    const heading = (key: string) => page.getByRole('heading', { name: t(key), exact: true })
    await heading('papers.front').waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H2', 'the focus is at the new step')
    await see('photo-none')
    await choose(page, await cardPhoto(page, { blur: 14 }))
    await page.getByText(t('papers.blurred')).waitFor()
    await see('photo-blurred')
    await choose(page, await cardPhoto(page, { width: 700, height: 440 }))
    await page.getByText(t('papers.small')).waitFor()
    await choose(page, await cardPhoto(page, {}))
    const use = page.getByRole('button', { name: t('papers.use'), exact: true })
    await use.waitFor()
    await see('photo')
    await use.dblclick()
    await heading('papers.back').waitFor()

    await page.reload()
    await heading('papers.back').waitFor()
    await takePhoto(someone, see)
    await heading('papers.review').waitFor()
    await page.getByText(whole.number).waitFor()
    await page.locator('main img').nth(1).waitFor()
    await see('review')
    await page.getByRole('button', { name: t('papers.send'), exact: true }).dblclick()
    await heading('papers.waiting').waitFor()
    await page.getByText('•••T47').waitFor()
    assert.equal(await page.getByText(whole.number).count(), 0)
    assert.equal(await page.locator('main img').count(), 0)
    await see('waiting')
    await go('/me')
    await page.getByText(t('me.papersWaiting'), { exact: true }).waitFor()
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('hk'))
  test(`UI-PAPERS-007: in ${lang}, a photo that did not arrive stays, and is sent by a tap or once the phone is online`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    await user.call('PATCH', '/papers', { ...whole, kind: 'driving-licence' })
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'papers', lang)
    await go('/kyc')
    const photos = '**/app/v1/papers/photos/*'
    const use = page.getByRole('button', { name: t('papers.use'), exact: true })
    await page.route(photos, (route) => route.abort())
    await choose(page, await cardPhoto(page, {}))
    await use.click()
    await page.getByText(t('common.unreachable')).waitFor()
    assert.equal(await page.locator('main img').count(), 1)
    await see('photo-lost')
    await page.unroute(photos)
    await page.getByRole('button', { name: t('common.retry'), exact: true }).click()
    await page.getByRole('heading', { name: t('papers.back'), exact: true }).waitFor()

    await page.route(photos, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
    await choose(page, await cardPhoto(page, {}))
    await use.click()
    await page.getByText(t('common.unreachable')).waitFor()
    await page.unroute(photos)
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.getByRole('heading', { name: t('papers.review'), exact: true }).waitFor()
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('en'))
  test(`UI-PAPERS-008: in ${lang}, a rejected check names its faults, only these are renewed, and a certified one is locked`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user()
    await fill(user)
    await user.call('POST', '/papers/send')
    await decide(user, [
      { field: 'number', reason: 'differs' },
      { field: 'front', reason: 'glare' },
    ])
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'papers', lang)
    await go('/safety')
    await page.getByText(t('me.papersRejected'), { exact: true }).click()
    await page.getByText(t('papers.fault.number.differs')).waitFor()
    await page.getByText(t('papers.fault.photo.glare')).waitFor()
    await see('rejected')
    await page.getByRole('button', { name: t('papers.fix'), exact: true }).click()

    const number = page.getByLabel(t('papers.number'), { exact: true })
    await page.getByText(t('papers.fault.number.differs')).waitFor()
    assert.deepEqual([await number.inputValue(), await number.getAttribute('aria-invalid')], [whole.number, 'true'])
    await see('rejected-data')
    // One document verifies one account.
    await number.fill(`L${user.uid}`)
    assert.equal(await page.getByText(t('papers.fault.number.differs')).count(), 0)
    await page.getByRole('button', { name: t('common.next'), exact: true }).click()
    await page.getByText(t('papers.fault.photo.glare')).waitFor()
    await see('rejected-photo')
    await choose(page, await cardPhoto(page, {}))
    await page.getByRole('button', { name: t('papers.use'), exact: true }).click()
    await page.getByRole('heading', { name: t('papers.review'), exact: true }).waitFor()
    await page.getByRole('button', { name: t('papers.send'), exact: true }).click()
    await page.getByRole('heading', { name: t('papers.waiting'), exact: true }).waitFor()

    await decide(user, [])
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await page.getByRole('heading', { name: t('papers.certified'), exact: true }).waitFor()
    await page.getByText(t('papers.locked')).waitFor()
    await see('certified')
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('session') ?? '{}').certification === 'certified')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

/** A whole draft, by requests. */
async function fill(user: TestUser): Promise<void> {
  await user.call('PATCH', '/papers', whole)
  for (const side of ['front', 'back']) {
    const { status } = await fetch(`${exchange.url}/app/v1/papers/photos/${side}`, {
      method: 'PUT',
      headers: { origin: exchange.url, cookie: user.cookie, 'content-type': 'image/jpeg' },
      body: new Uint8Array(await picture(1_000, 640)),
    })
    assert.equal(status, 200)
  }
}

/** What a reviewer decides; without faults the check is certified. */
async function decide(user: TestUser, faults: readonly WirePaperFault[]): Promise<void> {
  const place = { dataFolder: exchange.dataFolder, serverKey: undefined, photos: undefined }
  using desk = new PapersDesk({
    store: exchange.store,
    serverKeys: serverKeysOf(place),
    objects: openObjects(place),
    owners: {
      confirm: async () => undefined,
      log: async () => undefined,
      tell: async () => undefined,
      warn: () => Promise.resolve(),
    },
    certify: (customer) => certifyInCore(exchange.link.submit, customer),
    revoke: (customer) => revokeInCore(exchange.link.submit, customer),
    onFault: (cause) => assert.fail(String(cause)),
  })
  const { reviews } = desk
  const reviewer = { name: 'anna@staff.example', visitor: { ip: '192.0.2.1', userAgent: 'test' }, note: async () => undefined }
  const waiting = (await reviews.waiting()).find(({ uid }) => uid === user.uid)
  assert.ok(waiting)
  await reviews.claim(waiting.id, reviewer)
  if (faults.length === 0) await reviews.certify(waiting.id, reviewer)
  else await reviews.reject(waiting.id, faults, reviewer)
}

async function chooseCountry({ page, t }: Person): Promise<void> {
  const name = new Intl.DisplayNames([await page.evaluate(() => document.documentElement.lang)], { type: 'region' }).of('DE')!
  await page.getByRole('button', { name: new RegExp(RegExp.escape(t('gates.chooseCountry'))) }).click()
  const sheet = page.getByRole('dialog', { name: t('papers.country') })
  await sheet.getByLabel(t('gates.searchCountry')).fill(name.slice(0, 6))
  await sheet.getByRole('radio', { name, exact: true }).click()
}

/** By the camera of the page, which shows Chromium's test picture. */
async function takePhoto({ page, t }: Person, see: (name: string) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: t('papers.take'), exact: true }).click()
  const camera = page.getByRole('dialog', { name: t('papers.back') })
  await camera.getByRole('button', { name: t('papers.take'), exact: true, disabled: false }).waitFor()
  await see('camera')
  await camera.getByRole('button', { name: t('papers.take'), exact: true }).click()
  await camera.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: t('papers.again'), exact: true }).waitFor()
  await page.getByRole('button', { name: new RegExp(`^(${t('papers.use')}|${t('papers.useAnyway')})$`) }).click()
}

async function choose(page: Page, jpeg: Buffer): Promise<void> {
  await page.locator('main input[type=file]').setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: jpeg })
}

/** A JPEG of an invented card with print on it. */
async function cardPhoto(
  page: Page,
  { width = 1600, height = 1000, blur = 0 }: { readonly width?: number; readonly height?: number; readonly blur?: number },
): Promise<Buffer> {
  const url = await page.evaluate(
    ([wide, high, radius]) => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: wide, height: high })
      const context = canvas.getContext('2d')!
      context.fillStyle = '#d8e4ea'
      context.fillRect(0, 0, wide, high)
      context.filter = radius === 0 ? 'none' : `blur(${radius}px)`
      context.fillStyle = '#1b2733'
      context.font = `${high / 16}px sans-serif`
      for (let line = 1; line < 12; line++) context.fillText(`SPECIMEN ${line} MUSTERMANN ERIKA L01X00T47`, wide / 12, (high * line) / 12.5)
      return canvas.toDataURL('image/jpeg', 0.92)
    },
    [width, height, blur] as const,
  )
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}
