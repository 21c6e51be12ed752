/**
 * A forgotten password: the link in the mail, the new password, and the list of keys and webhooks that somebody else may have created,
 * with its one button. `CANDOR_LOCALES=en,de` chooses languages; `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

const fresh = 'an entirely new password'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'reset', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

for (const lang of langsOr('de'))
  test(`UI-RESET-001: in ${lang}, the link in the mail leads to the new password; then keys and webhooks from before the reset are listed and revoked by one button`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    await create(user, '/keys', { label: 'a stranger’s bot', scopes: ['read'], ips: [], password: user.password })
    await create(user, '/webhooks', { url: 'https://stranger.example/hook', kinds: ['spot.fill'], password: user.password })
    const someone = await person(browser, exchange.url, { lang })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'reset', lang)
    await go('/password?reset=1')
    await page.getByLabel(t('common.contact'), { exact: true }).fill(user.email)
    await page.getByRole('button', { name: t('auth.sendCode') }).click()
    const place = await linkIn(user.email)

    await go(place)
    await page.getByText(t('auth.resetWarning')).waitFor()
    await see('link')
    await page.getByRole('button', { name: t('auth.setPassword') }).click()
    await page.getByText(t('auth.passwordWeak')).waitFor()
    await setPassword(someone)
    await page.waitForURL(/#\/login\?next=\/me$/)
    await logIn(someone, user.email)

    const card = page.getByRole('region', { name: t('me.recentTitle') })
    await card.getByText('a stranger’s bot').waitFor()
    await card.getByText('https://stranger.example/hook').waitFor()
    await see('recent')
    const revoked: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'DELETE') revoked.push(new URL(request.url()).pathname)
    })
    // Two taps count as one, even if the second follows immediately.
    await card.getByRole('button', { name: t('me.recentRevoke') }).evaluate(async (button: HTMLElement) => {
      const next = scheduler.postTask(() => button.click(), { priority: 'user-blocking' })
      button.click()
      await next
    })
    await page.getByText(t('me.recentRevoked')).waitFor()
    await card.waitFor({ state: 'detached' })
    await see('revoked')
    assert.deepEqual(revoked, ['/app/v1/auth/recent'])
    assert.deepEqual(await remaining(page), { keys: 0, webhooks: 0 })
    await page.reload()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByRole('link', { name: new RegExp(RegExp.escape(t('me.apiKeys'))) }).waitFor()
    assert.equal(await card.count(), 0, 'nothing is left to be revoked')
    assert.deepEqual(wrong, [])
    assert.deepEqual(complaints, [])
    await context.close()
  })

test('UI-RESET-002: a used link says so and starts again; a truncated link is not accepted', { timeout: 180_000 }, async () => {
  const user = await exchange.user()
  const someone = await person(browser, exchange.url)
  const { page, context, t, go, complaints } = someone
  await go('/password?reset=1')
  await page.getByLabel(t('common.contact'), { exact: true }).fill(user.email)
  await page.getByRole('button', { name: t('auth.sendCode') }).click()
  const place = await linkIn(user.email)
  await go(place)
  await setPassword(someone)
  await page.waitForURL(/#\/login/)

  await go(place)
  await setPassword(someone)
  await page.getByText(t('refusals.TOKEN_EXPIRED')).waitFor()
  await page.getByText(t('auth.step', { step: 1, steps: 3 })).waitFor()
  await page.getByLabel(t('common.contact'), { exact: true }).waitFor()

  await go(place.slice(0, -1))
  await page.getByText(t('auth.resetLead')).waitFor()
  assert.equal(await page.getByLabel(t('auth.newPassword'), { exact: true }).count(), 0)
  assert.deepEqual(complaints, [])
  await context.close()
})

async function create(user: TestUser, path: string, body: object): Promise<void> {
  const { status, body: answer } = await user.call('POST', path, body)
  assert.ok(status < 300, `${path}: ${JSON.stringify(answer)}`)
}

/** The path of the link in the newest mail to an address. Its token is 128 bits in 22 characters. */
async function linkIn(to: string): Promise<string> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const { messages } = (await (await fetch(`${exchange.url}/inbox.json?to=${encodeURIComponent(to)}`)).json()) as {
      messages: { text: string }[]
    }
    const found = messages.map(({ text }) => /\/#(\/password\?token=[A-Za-z0-9_-]{22})\s/.exec(text)?.[1]).find((one) => one !== undefined)
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`no link arrived for ${to}`)
}

async function setPassword({ page, t }: Person): Promise<void> {
  await page.getByLabel(t('auth.newPassword'), { exact: true }).fill(fresh)
  await page.getByLabel(t('auth.passwordAgain'), { exact: true }).fill(fresh)
  await page.getByRole('button', { name: t('auth.setPassword') }).click()
}

async function logIn({ page, t }: Person, email: string): Promise<void> {
  await page.getByLabel(t('common.contact'), { exact: true }).fill(email)
  await page.getByLabel(t('auth.password'), { exact: true }).fill(fresh)
  await page
    .getByRole('main')
    .getByRole('button', { name: t('common.login'), exact: true })
    .click()
}

/** Numbers of remaining keys and webhooks, requested with the page's own cookie. */
function remaining(page: Page): Promise<{ readonly keys: number; readonly webhooks: number }> {
  return page.evaluate(async () => {
    const read = async (path: string) => (await fetch(`/app/v1${path}`)).json()
    return { keys: (await read('/keys')).keys.length, webhooks: (await read('/webhooks')).webhooks.length }
  })
}
