/**
 * Access without the second factors, from the login to the link, and the address lock. `CANDOR_LOCALES=en,de` chooses
 * languages; `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generateSync } from 'otplib'
import type { Browser, Locator, Page } from 'playwright-core'
import { certifyInCore, revokeInCore } from '../../server/main/certified.ts'
import { openObjects } from '../../server/main/photos.ts'
import { serverKeysOf } from '../../server/main/server-key.ts'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { PapersDesk } from '../../server/papers/desk.ts'
import { picture } from '../../server/papers/test/pictures.ts'
import { codeFor, langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'reverify', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const fresh = 'a lamp in the old harbour'
const whole = { kind: 'passport', country: 'DE', name: 'ERIKA MUSTERMANN', born: '1964-08-12' } as const
/** One document verifies one account. */
const numberOf = ({ uid }: TestUser): string => `L${uid}`

for (const lang of langsOr('de'))
  test(`UI-REVERIFY-001: in ${lang}, a person who lost the factors proves the address, waits, and sets a password by the link`, {
    timeout: 300_000,
  }, async () => {
    const user = await withApp()
    const someone = await person(browser, exchange.url, { lang })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'reverify', lang)
    await go('/reverify')
    await page.getByText(t('reverify.introLead')).waitFor()
    await see('intro')
    await inView(page, page.getByRole('link', { name: t('common.login'), exact: true }))
    await logIn(someone, user)
    await see('login-step')
    await page.getByRole('link', { name: t('proof.lost') }).click()
    await page.getByText(t('reverify.beginLead')).waitFor()
    await see('begin')
    await page.getByRole('button', { name: t('auth.sendCode') }).click()
    const code = page.getByLabel(t('fields.code'))
    await code.waitFor()
    const right = await regainCode(user)
    await code.fill(right === '000000' ? '000001' : '000000')
    await page.getByText(t('refusals.CODE_WRONG')).waitFor()
    await see('code-wrong')
    await code.fill(right)
    await page.getByRole('heading', { name: t('reverify.waiting') }).waitFor()
    await see('waiting')
    await pass()
    await page.reload()
    await page.getByRole('heading', { name: t('reverify.ready') }).waitFor({ timeout: 60_000 })
    await see('ready')
    await inView(page, page.getByRole('button', { name: t('reverify.withdraw') }))
    const link = await linkFor(user)
    await page.goto(`${exchange.url}/#/reverify?token=${link}`)
    await page.getByRole('heading', { name: t('reverify.finishTitle') }).waitFor()
    await page.getByLabel(t('auth.newPassword'), { exact: true }).fill('short')
    await page.getByRole('button', { name: t('reverify.finishNow') }).click()
    await page.getByText(t('auth.passwordWeak')).waitFor()
    await see('finish')
    await page.getByLabel(t('auth.newPassword'), { exact: true }).fill(fresh)
    await page.getByLabel(t('auth.passwordAgain'), { exact: true }).fill(fresh)
    await page.getByRole('button', { name: t('reverify.finishNow') }).click()
    await page.waitForFunction(() => location.hash.startsWith('#/login'))
    await logIn(someone, { ...user, password: fresh })
    await page.waitForFunction(() => location.hash.startsWith('#/safety'))
    await page.getByText(t('safety.level1')).waitFor()
    await page.goto(`${exchange.url}/#/reverify?token=${link}`)
    await page.getByLabel(t('auth.newPassword'), { exact: true }).fill(fresh)
    await page.getByLabel(t('auth.passwordAgain'), { exact: true }).fill(fresh)
    await page.getByRole('button', { name: t('reverify.finishNow') }).click()
    await page.getByText(t('reverify.linkOver')).waitFor()
    await see('link-over')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('fr'))
  test(`UI-REVERIFY-002: in ${lang}, a verified person shows the document again, step by step, and can withdraw the request`, {
    timeout: 300_000,
  }, async () => {
    const user = await withApp()
    await certify(user)
    const someone = await person(browser, exchange.url, { lang })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'reverify-draft', lang)
    await go('/login')
    await logIn(someone, user)
    await page.getByRole('link', { name: t('proof.lost') }).click()
    await page.getByRole('button', { name: t('auth.sendCode') }).click()
    await page.getByLabel(t('fields.code')).fill(await regainCode(user))
    await page.getByText(t('reverify.draftLead')).waitFor()
    const next = page.getByRole('button', { name: t('common.next'), exact: true })
    await next.click()
    await page.getByText(t('papers.kindMissing')).waitFor()
    await page.getByText(t('papers.passport'), { exact: true }).click()
    await page.getByRole('button', { name: new RegExp(RegExp.escape(t('papers.country'))) }).click()
    await page.getByRole('dialog').getByRole('radio').first().click()
    await see('document')
    await next.click()
    await page.getByLabel(t('papers.name'), { exact: true }).fill(whole.name)
    await next.click()
    await page.getByText(t('papers.bornMissing')).waitFor()
    await see('data')
    for (const [label, value] of [
      ['day', '12'],
      ['month', '8'],
      ['year', '1964'],
      ['number', numberOf(user)],
    ] as const)
      await page.getByLabel(t(`papers.${label}`), { exact: true }).fill(value)
    await next.click()
    await page.getByRole('heading', { name: t('papers.page') }).waitFor()
    await see('photo-none')
    await page
      .locator('main input[type=file]')
      .setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await picture(1600, 1000) })
    const use = page.getByRole('button', {
      name: new RegExp(`^(${RegExp.escape(t('papers.use'))}|${RegExp.escape(t('papers.useAnyway'))})$`),
    })
    await use.click()
    await page.getByText(t('papers.saved')).waitFor()
    await see('photo-saved')
    await page.getByRole('button', { name: t('papers.send'), exact: true }).click()
    await page.getByRole('heading', { name: t('reverify.sent') }).waitFor()
    await see('sent')
    await page.getByRole('button', { name: t('reverify.withdraw') }).click()
    const question = page.getByRole('dialog', { name: t('reverify.withdrawAsk') })
    await question.getByRole('button', { name: t('reverify.withdraw') }).click()
    await page.getByText(t('reverify.introLead')).waitFor()
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('hk'))
  test(`UI-REVERIFY-003: in ${lang}, the owner sees in the security centre that somebody asks for access, and stops it`, {
    timeout: 240_000,
  }, async () => {
    const user = await withApp()
    await begin(user)
    const { page, context, t, go, complaints } = await person(browser, exchange.url, { lang, user })
    const { wrong, see } = sights(page, 'reverify-owner', lang)
    await go('/safety')
    await page.getByRole('heading', { name: t('safety.regainTitle') }).waitFor()
    await see('card')
    await page.getByRole('button', { name: t('safety.regainSee') }).click()
    const sheet = page.getByRole('dialog', { name: t('safety.regainTitle') })
    await sheet.getByText(t('safety.regainNote')).waitFor()
    await see('sheet')
    await sheet.getByRole('button', { name: t('safety.regainStop') }).click()
    await page.getByText(t('safety.regainStopped'), { exact: true }).waitFor()
    await page.getByRole('heading', { name: t('safety.level2') }).waitFor()
    assert.equal((await user.call('GET', '/auth/safety')).body.regain, null)
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('it'))
  test(`UI-REVERIFY-005: in ${lang}, the address lock is switched on after a proof, off in 24 hours, and kept; the screen says what it does`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const someone = await person(browser, exchange.url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'list', lang)
    await go('/safety?open=list')
    const sheet = page.getByRole('dialog', { name: t('safety.list') })
    await sheet.getByText(t('safety.listOff')).waitFor()
    await see('off')
    await sheet.getByRole('button', { name: t('safety.listTurnOn'), exact: true }).click()
    const proof = page.getByRole('dialog', { name: t('proof.title') })
    await proof.getByLabel(t('auth.password'), { exact: true }).fill(user.password)
    await proof.getByRole('button', { name: t('auth.sendCode') }).click()
    await proof.getByLabel(t('fields.code')).fill(await codeFor(exchange.url, user.email))
    await page.getByText(t('safety.listIsOn'), { exact: true }).waitFor()
    const row = page.getByRole('button', { name: new RegExp(RegExp.escape(t('safety.list'))) }).last()
    await row.click()
    await sheet.getByRole('button', { name: t('safety.listTurnOff') }).click()
    await page.getByText(t('safety.listIsEnding'), { exact: true }).waitFor()
    await row.scrollIntoViewIfNeeded()
    await see('row-ending')
    await row.click()
    await sheet.getByRole('status').waitFor()
    await see('ending')
    await sheet.getByRole('button', { name: t('safety.listKeep') }).click()
    await page.getByText(t('safety.listHint')).waitFor()
    assert.deepEqual((await user.call('GET', '/auth/safety')).body.allowList, { isOn: true, endsAt: null })
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

test('UI-REVERIFY-006: with a session, the page leads to a document that was sent back, and to the security centre otherwise', async () => {
  const user = await exchange.user()
  const { page, context, t, go } = await person(browser, exchange.url, { lang: 'en', user })
  await go('/reverify')
  await page.getByRole('link', { name: t('reverify.ownSafety') }).waitFor()
  await fill(user)
  await withDesk(async ({ reviews }) => {
    const id = await papersOf(user)
    await reviews.claim(id, reviewer)
    await reviews.reject(id, [{ field: 'front', reason: 'blurred' }], reviewer)
  })
  await page.reload()
  await page.waitForFunction(() => location.hash.startsWith('#/kyc'))
  await page.getByText(t('papers.fault.photo.blurred')).waitFor()
  await context.close()
})

/** Nothing has to be scrolled to reach the button, on the smallest phone either. */
async function inView(page: Page, button: Locator): Promise<void> {
  const usual = page.viewportSize()!
  await page.setViewportSize({ width: 320, height: 640 })
  const { y, height } = (await button.boundingBox())!
  assert.ok(y + height <= 640, `the button ends at ${y + height}`)
  await page.setViewportSize(usual)
}

/** A customer with an authenticator app. */
async function withApp(): Promise<TestUser> {
  const user = await exchange.user()
  await user.call('POST', '/auth/proof/code', {})
  const code = await codeFor(exchange.url, user.email)
  const proven = await user.call('POST', '/auth/proof', { way: 'code', code, password: user.password })
  assert.equal(proven.status, 200, JSON.stringify(proven.body))
  const { body } = await user.call('POST', '/auth/authenticator', {})
  const confirmed = await user.call('POST', '/auth/authenticator/confirm', { code: generateSync({ secret: body.secret }) })
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body))
  return user
}

async function logIn({ page, t, go }: Person, { email, password }: TestUser): Promise<void> {
  if (!page.url().includes('#/login')) await go('/login')
  await page.getByLabel(t('common.contact')).fill(email)
  await page.getByLabel(t('auth.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('common.login'), exact: true }).click()
  if (password !== fresh) await page.getByRole('link', { name: t('proof.lost') }).waitFor()
}

/** Begins a request in another browser, as somebody who knows the password and reads the mail. */
async function begin(user: TestUser): Promise<void> {
  let cookie = ''
  const post = async (path: string, body?: unknown): Promise<Response> => {
    const answer = await fetch(`${exchange.url}/app/v1${path}`, {
      method: 'POST',
      headers: {
        origin: exchange.url,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie === '' ? {} : { cookie }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of answer.headers.getSetCookie()) cookie = line.split(';', 1)[0]!
    return answer
  }
  await post('/auth/login', { channel: 'email', to: user.email, password: user.password, lang: 'en' })
  await post('/auth/regain/code')
  const done = await post('/auth/regain', { channel: 'email', code: await regainCode(user) })
  assert.equal(done.status, 200)
}

/** Lets the waiting time of all requests be over. The database lets nobody do so, except its owner. */
async function pass(): Promise<void> {
  const client = await exchange.store.pool.connect()
  try {
    await client.query('alter table regains disable trigger regains_go_on')
    await client.query("update regains set due_at = created_at + 1 where state = 'waiting'")
    await client.query('alter table regains enable trigger regains_go_on')
  } finally {
    client.release()
  }
}

const linkFor = (user: TestUser): Promise<string> => inMail(user, /reverify\?token=([A-Za-z0-9_-]{22})/)
/** Not that of an earlier proof. */
const regainCode = (user: TestUser): Promise<string> => inMail(user, /^([0-9]{6}) is your code to regain access/)

/** The text of the newest message of this kind. */
async function inMail({ email }: TestUser, pattern: RegExp): Promise<string> {
  for (;;) {
    const answer = await fetch(`${exchange.url}/inbox.json?to=${encodeURIComponent(email)}`)
    const { messages } = (await answer.json()) as { readonly messages: readonly { readonly subject: string; readonly text: string }[] }
    const found = messages.map(({ subject, text }) => pattern.exec(`${subject}\n${text}`)?.[1]).find((one) => one !== undefined)
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 50))
  }
}

async function fill(user: TestUser): Promise<void> {
  await user.call('PATCH', '/papers', { ...whole, number: numberOf(user) })
  await withDesk(async ({ papers }) => {
    const account = await accountOf(user)
    await papers.addPhoto({ account, visitor: reviewer.visitor }, 'front', await picture(1600, 1000))
  })
  assert.equal((await user.call('POST', '/papers/send')).status, 200)
}

async function certify(user: TestUser): Promise<void> {
  await fill(user)
  await withDesk(async ({ reviews }) => {
    const id = await papersOf(user)
    await reviews.claim(id, reviewer)
    await reviews.certify(id, reviewer)
  })
}

const reviewer = { name: 'anna@staff.example', visitor: { ip: '198.51.100.9', userAgent: 'a test' }, note: async () => undefined }

async function accountOf({ uid }: TestUser): Promise<string> {
  return (await exchange.store.pool.query<{ id: string }>('select id from accounts where uid = $1', [uid])).rows[0]!.id
}

async function papersOf(user: TestUser): Promise<string> {
  const { rows } = await exchange.store.pool.query<{ id: string }>("select id from papers where account = $1 and state = 'waiting'", [
    await accountOf(user),
  ])
  return rows[0]!.id
}

async function withDesk(work: (desk: PapersDesk) => Promise<void>): Promise<void> {
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
  await work(desk)
}
