/**
 * Second factors: an authenticator app, recovery codes, passkeys, proofs and the login history. `CANDOR_LOCALES=en,de` chooses
 * languages; `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generateSync } from 'otplib'
import type { Browser, CDPSession, Locator } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { identityDb } from '../../server/identity/tables.ts'
import { codeFor, langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
/** Passkeys belong to a name, so the pages are opened at `localhost`. */
let url: string
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'factors', hasFeeds: false })
  url = exchange.url.replace('127.0.0.1', 'localhost')
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

/** The code that an app shows now. Each counts once, so the second one of a test is that of the next half-minute, which counts too. */
function codeOf(secret: string, turn: 'first' | 'second' = 'first'): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + (turn === 'second' ? 30 : 0) })
}

/** Lets proofs, or logins that wait for their second step, be over. */
async function lapse(what: 'proofs' | 'steps'): Promise<void> {
  const db = identityDb(exchange.store)
  if (what === 'proofs') await db.updateTable('sessions').set({ proven_at: 0 }).execute()
  else await db.updateTable('login_steps').set({ expires_at: 0 }).execute()
}

const named = (text: string): RegExp => new RegExp(RegExp.escape(text))

for (const lang of langsOr('de'))
  test(`UI-FACTOR-001: in ${lang}, an authenticator app is added, then a login needs its code; a wrong code says so and stays`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user()
    const someone = await person(browser, url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'factors', lang)
    await go('/me')
    await page.getByRole('link', { name: named(t('me.safety')) }).click()
    await page.getByText(t('safety.level1')).waitFor()
    await see('none')
    await page.getByRole('button', { name: named(t('safety.authenticator')) }).click()
    await proveByPassword(someone, user, see)

    const setUp = page.getByRole('dialog', { name: t('safety.setUp') })
    await setUp.getByRole('img', { name: t('safety.qrCode') }).waitFor()
    const secret = ((await setUp.locator('code').textContent()) ?? '').replaceAll(' ', '')
    assert.match(secret, /^[A-Z2-7]{16,}$/)
    await see('set-up')
    const field = setUp.getByLabel(t('safety.setUpCode'))
    await field.fill('000000')
    await setUp.getByText(t('refusals.CODE_WRONG')).waitFor()
    assert.equal(await field.inputValue(), '000000')
    await see('set-up-wrong')
    await field.fill(codeOf(secret))

    const codes = page.getByRole('dialog', { name: t('safety.codesTitle') })
    await codes.getByText(t('safety.codesOnce')).waitFor()
    assert.equal(await codes.locator('code').count(), 10)
    for (const _ of [1, 2, 3]) await page.keyboard.press('Escape')
    assert.ok(await codes.isVisible(), 'only its button closes the sheet')
    await see('codes')
    const saved = page.waitForEvent('download')
    await codes.getByRole('button', { name: t('safety.download') }).click()
    assert.equal((await saved).suggestedFilename(), 'candor-recovery-codes.txt')
    await codes.getByRole('button', { name: t('safety.keptCodes') }).click()
    await codes.waitFor({ state: 'hidden' })
    await page.getByText(t('safety.level2')).waitFor()
    await page.getByText(t('safety.codesLeft', { left: 10 })).waitFor()
    await see('one')

    await logOut(someone)
    await enterPassword(someone, user, see)
    const code = page.getByLabel(t('fields.code'))
    await code.waitFor()
    await see('login-code')
    await code.fill('000000')
    await page.getByText(t('refusals.CODE_WRONG')).waitFor()
    assert.equal(await code.inputValue(), '000000')
    await see('login-code-wrong')
    await code.fill(codeOf(secret, 'second'))
    await page.waitForFunction(() => location.hash === '#/safety')
    await page.getByText(t('safety.level2')).waitFor()
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('hk'))
  test(`UI-FACTOR-002: in ${lang}, a recovery code finishes a login once, and no second time`, {
    timeout: 300_000,
  }, async () => {
    const user = await exchange.user()
    const { recoveryCodes } = await withAuthenticator(user)
    const someone = await person(browser, url, { lang })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'factors', lang)
    await go('/login?next=/safety')
    const logInBy = async (recoveryCode: string): Promise<Locator> => {
      await enterPassword(someone, user)
      await page.getByRole('button', { name: t('proof.useRecovery') }).click()
      const field = page.getByLabel(t('proof.recoveryCode'))
      await field.fill(recoveryCode.toLowerCase())
      await page
        .getByRole('main')
        .getByRole('button', { name: t('common.login'), exact: true })
        .click()
      return field
    }
    await logInBy(recoveryCodes[0]!)
    await page.getByText(t('safety.codesLeft', { left: 9 })).waitFor()

    await logOut(someone)
    const field = await logInBy(recoveryCodes[0]!)
    await page.getByText(t('refusals.CODE_WRONG')).waitFor()
    assert.equal(await field.inputValue(), recoveryCodes[0]!.toLowerCase())
    await see('recovery-used')

    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('pt'))
  test(`UI-FACTOR-005: in ${lang}, a second step that is over begins again with the password, and says why`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const { secret } = await withAuthenticator(user)
    const someone = await person(browser, url, { lang })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'factors', lang)
    await go('/login')
    await enterPassword(someone, user)
    const code = page.getByLabel(t('fields.code'))
    await code.waitFor()
    await lapse('steps')
    await code.fill(codeOf(secret, 'second'))
    await page.getByText(t('refusals.TOKEN_EXPIRED')).waitFor()
    assert.equal(await page.getByLabel(t('common.contact'), { exact: true }).inputValue(), user.email)
    await see('step-over')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('en'))
  test(`UI-FACTOR-003: in ${lang}, a passkey is added, logs in alone, and is removed after a proof`, { timeout: 300_000 }, async () => {
    const user = await exchange.user()
    const someone = await person(browser, url, { lang, user })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'factors', lang)
    const session = await context.newCDPSession(page)
    await addVirtualAuthenticator(session)
    await go('/safety')
    await page.getByRole('button', { name: t('safety.addPasskey'), exact: true }).click()
    const sheet = page.getByRole('dialog', { name: t('safety.addPasskey') })
    await sheet.getByLabel(t('safety.label')).fill('my phone')
    await see('new-passkey')
    await sheet.getByRole('button', { name: t('safety.createPasskey') }).click()
    await proveByPassword(someone, user)
    await page.getByRole('button', { name: t('safety.keptCodes') }).click()
    await page.getByRole('button', { name: /my phone/ }).waitFor()
    await see('passkey')

    await logOut(someone)
    await page.getByRole('button', { name: t('auth.passkeyLogin') }).click()
    await page.waitForFunction(() => location.hash === '#/safety')
    await page.getByRole('button', { name: /my phone/ }).click()
    const details = page.getByRole('dialog', { name: 'my phone' })
    await details.getByText(t('safety.lastUse')).waitFor()
    await see('passkey-details')
    await lapse('proofs')
    await details.getByRole('button', { name: t('safety.remove') }).click()
    const question = page.getByRole('dialog', { name: t('safety.passkeyAsk', { label: 'my phone' }) })
    await question.getByText(t('safety.lastNote')).waitFor()
    await see('passkey-question')
    await question.getByRole('button', { name: t('safety.remove') }).click()
    const proof = page.getByRole('dialog', { name: t('proof.title') })
    await proof.getByText(t('proof.passkeyLead')).waitFor()
    await see('proof-passkey')
    await proof.getByRole('button', { name: t('proof.usePasskey') }).click()
    await page.getByText(t('safety.level1')).waitFor()
    assert.equal(await page.getByRole('button', { name: /my phone/ }).count(), 0)
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

test('UI-FACTOR-003: an account with a passkey only asks for it after the password', { timeout: 240_000 }, async () => {
  const user = await exchange.user()
  const someone = await person(browser, url, { user })
  const { page, context, t, go, complaints } = someone
  const { wrong, see } = sights(page, 'factors', 'en')
  await addVirtualAuthenticator(await context.newCDPSession(page))
  await go('/safety')
  await page.getByRole('button', { name: t('safety.addPasskey'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('safety.createPasskey') })
    .click()
  await proveByPassword(someone, user)
  await page.getByRole('button', { name: t('safety.keptCodes') }).click()
  await logOut(someone)
  // The browser's own offer below the address would log in at once, because the virtual device agrees to everything.
  await page.evaluate(() => Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: () => Promise.resolve(false) }))
  await enterPassword(someone, user)
  await page.getByText(t('proof.passkeyLead')).waitFor()
  await see('login-passkey')
  await page.getByRole('button', { name: t('proof.usePasskey') }).click()
  await page.waitForFunction(() => location.hash === '#/safety')
  assert.deepEqual([wrong, complaints], [[], []])
  await context.close()
})

for (const lang of langsOr('fr'))
  test(`UI-FACTOR-004: in ${lang}, a new API key needs a proof; left, the input stays; given, the key is made by itself`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const { secret } = await withAuthenticator(user)
    await lapse('proofs')
    const { page, context, t, go, complaints } = await person(browser, url, { lang, user })
    const { wrong, see } = sights(page, 'factors', lang)
    await go('/apikeys')
    await page.getByRole('button', { name: t('apikeys.create') }).click()
    const sheet = page.getByRole('dialog', { name: t('apikeys.create') })
    await sheet.getByLabel(t('apikeys.label'), { exact: true }).fill('my bot')
    await sheet.getByLabel(t('apikeys.password'), { exact: true }).fill(user.password)
    await sheet.getByRole('button', { name: t('apikeys.create') }).click()
    const proof = page.getByRole('dialog', { name: t('proof.title') })
    await proof.getByText(t('proof.authenticatorLead')).waitFor()
    await see('proof-code')
    await page.keyboard.press('Escape')
    await proof.waitFor({ state: 'detached' })
    await sheet.getByText(t('refusals.PROOF_NEEDED')).waitFor()
    assert.equal(await sheet.getByLabel(t('apikeys.label'), { exact: true }).inputValue(), 'my bot')

    await sheet.getByRole('button', { name: t('apikeys.create') }).click()
    const code = proof.getByLabel(t('fields.code'))
    await code.fill('000000')
    await proof.getByText(t('refusals.CODE_WRONG')).waitFor()
    assert.equal(await code.inputValue(), '000000')
    await code.fill(codeOf(secret, 'second'))
    await page.getByRole('dialog', { name: t('apikeys.made') }).waitFor()
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('it'))
  test(`UI-FACTOR-006: in ${lang}, recovery codes are renewed and shown once; the authenticator app is replaced by a code, and removed`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const { recoveryCodes } = await withAuthenticator(user)
    const { page, context, t, go, complaints } = await person(browser, url, { lang, user })
    const { wrong, see } = sights(page, 'factors', lang)
    await go('/safety')
    await page.getByText(t('safety.codesLeft', { left: 10 })).click()
    await page.getByRole('dialog').getByText(t('safety.renewNote')).waitFor()
    await see('recovery')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('safety.renew') })
      .click()
    const shown = page.getByRole('dialog', { name: t('safety.codesTitle') })
    await shown.getByText(t('safety.codesOnce')).waitFor()
    const fresh = await shown.locator('code').allTextContents()
    assert.equal(new Set([...fresh, ...recoveryCodes]).size, 20)
    await shown.getByRole('button', { name: t('safety.keptCodes') }).click()
    await shown.waitFor({ state: 'hidden' })

    const row = page.getByRole('button', { name: named(t('safety.authenticator')) })
    await row.click()
    const details = page.getByRole('dialog', { name: t('safety.authenticator'), exact: true })
    await see('authenticator')
    await details.getByRole('button', { name: t('safety.replace') }).click()
    const setUp = page.getByRole('dialog', { name: t('safety.setUp') })
    const secret = ((await setUp.locator('code').textContent()) ?? '').replaceAll(' ', '')
    await setUp.getByLabel(t('safety.setUpCode')).fill(codeOf(secret))
    await page.getByText(t('safety.authenticatorAdded')).waitFor()
    await row.click()
    await details.getByRole('button', { name: t('safety.remove') }).click()
    const question = page.getByRole('dialog', { name: t('safety.authenticatorAsk') })
    await question.getByText(t('safety.lastNote')).waitFor()
    await see('authenticator-question')
    await question.getByRole('button', { name: t('safety.remove') }).click()
    await page.getByText(t('safety.level1')).waitFor()
    assert.equal(await page.getByText(t('safety.recovery'), { exact: true }).count(), 0)
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

for (const lang of langsOr('ca'))
  test(`UI-SAFETY-003: in ${lang}, the login history tells what happened, marks what failed, and loads earlier entries`, {
    timeout: 240_000,
  }, async () => {
    const user = await exchange.user()
    const db = identityDb(exchange.store)
    const { id: account } = await db.selectFrom('accounts').select('id').where('uid', '=', user.uid).executeTakeFirstOrThrow()
    const entry = { account, at: Date.now(), ip: '203.0.113.7', device: 'Firefox · Windows', session: null, detail: '{}' }
    const actions = ['register', ...Array.from({ length: 60 }, () => 'logout'), 'login-failed']
    for (const action of actions)
      await db
        .insertInto('audit_log')
        .values({ ...entry, action })
        .execute()
    const { page, context, t, go, complaints } = await person(browser, url, { lang, user })
    const { wrong, see } = sights(page, 'factors', lang)
    await go('/safety')
    await page.getByRole('button', { name: named(t('safety.history')) }).click()
    const history = page.getByRole('dialog', { name: t('safety.history') })
    const newest = history.getByRole('listitem').first()
    await newest.getByText(t('safety.did.loginFailed')).waitFor()
    await newest.getByText('Firefox · Windows · 203.0.113.7').waitFor()
    await newest.locator('time').waitFor()
    assert.equal(await newest.locator('svg').count(), 1)
    assert.equal(await history.getByText(t('safety.did.register')).count(), 0)
    await see('history')
    await history.getByRole('button', { name: t('safety.earlier') }).click()
    await history.getByText(t('safety.did.register')).waitFor()
    assert.equal(await history.getByRole('button', { name: t('safety.earlier') }).count(), 0)
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

/** The proof of an account without a second factor: its password, and the code sent to its address. */
async function proveByPassword({ page, t }: Person, user: TestUser, see?: (name: string) => Promise<void>): Promise<void> {
  const proof = page.getByRole('dialog', { name: t('proof.title') })
  await proof.getByLabel(t('auth.password'), { exact: true }).fill(user.password)
  await see?.('proof-password')
  await proof.getByRole('button', { name: t('auth.sendCode') }).click()
  const code = proof.getByLabel(t('fields.code'))
  await code.waitFor()
  await see?.('proof-sent')
  await code.fill(await codeFor(exchange.url, user.email))
  await proof.waitFor({ state: 'detached' })
}

/** Logs out and opens the login that leads to the security centre. */
async function logOut({ page, t, go }: Person): Promise<void> {
  await go('/me')
  await page.getByRole('button', { name: t('me.logout') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('me.logout') })
    .click()
  await page.waitForFunction(() => location.hash === '#/')
  await go('/login?next=/safety')
}

async function enterPassword({ page, t }: Person, user: TestUser, see?: (name: string) => Promise<void>): Promise<void> {
  await page.getByLabel(t('common.contact'), { exact: true }).fill(user.email)
  await page.getByLabel(t('auth.password'), { exact: true }).fill(user.password)
  await see?.('login')
  await page
    .getByRole('main')
    .getByRole('button', { name: t('common.login'), exact: true })
    .click()
}

/** Adds an authenticator app to an account without the browser. */
async function withAuthenticator(user: TestUser): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  const call = async (path: string, body?: object) => {
    const { status, body: answer } = await user.call('POST', path, body)
    assert.ok(status < 300, `${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  await call('/auth/proof/code')
  await call('/auth/proof', { way: 'code', code: await codeFor(exchange.url, user.email), password: user.password })
  const { secret } = await call('/auth/authenticator')
  const { recoveryCodes } = await call('/auth/authenticator/confirm', { code: codeOf(secret) })
  return { secret, recoveryCodes }
}

/** A device that keeps passkeys, recognizes its owner and agrees to everything. */
async function addVirtualAuthenticator(session: CDPSession): Promise<void> {
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}
