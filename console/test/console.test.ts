/** The console in a browser: login, own login, staff. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generateSync } from 'otplib'
import type { Browser, Page } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { sights } from '../../web/test/sights.ts'
import { create, enrol, type Member, password, startBrowser, tokenTo, visitor } from './member.ts'

let browser: Browser
let exchange: TestExchange
let ann: Member
let ben: Member
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'console', hasFeeds: false })
})
after(async () => {
  await browser?.close()
  await exchange?.[Symbol.asyncDispose]()
})

/** Lets the login of everybody be older than 15 minutes. */
const age = () => exchange.store.pool.query('update staff_sessions set created_at = created_at - 1000000')

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

test('UI-CONSOLE-001: a link enrols its member with a password and a passkey and logs in; the token leaves the address', async () => {
  ann = await visitor(browser, exchange)
  const { page, complaints } = ann
  const { wrong, see } = sights(page, 'console', 'en')
  const { token } = await create(exchange, 'ann@staff.example', 'Ann Archer', 'administrator')
  await ann.go('/')
  await page.getByRole('heading', { name: 'Log in to the console' }).waitFor()
  await see('login')
  await ann.go(`/enrol#token=${token}`)
  await page.getByText('Ann Archer, you join as Administrator.').waitFor()
  await see('enrol')
  await page.getByLabel('New password').fill('quiet quiet')
  await button(page, 'Create passkey and log in').click()
  assert.equal(await page.getByLabel('New password').evaluate((field: HTMLInputElement) => field.validity.tooShort), true)
  await page.getByLabel('New password').fill(password)
  await button(page, 'Create passkey and log in').click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).hash, '')
  await page.getByText('Sandbox · practice money').waitFor()
  await see('overview')
  await ann.go(`/enrol#token=${token}`)
  await page.getByText('This link has expired or was used.').waitFor()
  assert.deepEqual([wrong, complaints], [[], []])
})

test('UI-CONSOLE-002: a member logs out, and logs in again by passkey or by password and authenticator code', async () => {
  const { page, complaints } = ann
  const { wrong, see } = sights(page, 'console', 'en')
  await ann.go('/me')
  await page.getByRole('heading', { name: 'Your login', level: 1 }).waitFor()
  await button(page, 'Set up').click()
  const setUp = dialog(page, 'Authenticator app')
  const secret = ((await setUp.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await see('authenticator')
  await setUp.getByLabel('Authenticator code').fill('000000')
  await button(page, 'Confirm').click()
  await setUp.getByRole('alert').waitFor()
  const code = (turn: number): string => generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + turn * 30 })
  await setUp.getByLabel('Authenticator code').fill(code(0))
  await button(page, 'Confirm').click()
  await page.getByText('The authenticator app is in use.').waitFor()

  await button(page, /Ann Archer/).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByText('You are logged out.').waitFor()
  await button(page, 'Use password and authenticator code').click()
  await page.getByLabel('Email address').fill('ann@staff.example')
  await page.getByLabel('Password').fill('not the right password')
  await page.getByLabel('Authenticator code').fill(code(1))
  await button(page, 'Log in').click()
  await page.getByText('The login is not correct.').waitFor()
  await see('login-code')
  assert.equal(await page.getByLabel('Authenticator code').inputValue(), '')
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Authenticator code').fill(code(1))
  await button(page, 'Log in').click()
  await page.getByRole('heading', { name: 'Your login', level: 1 }).waitFor()

  await exchange.store.pool.query('delete from staff_sessions')
  await page.reload()
  await button(page, 'Log in with a passkey').click()
  await page.getByRole('heading', { name: 'Your login', level: 1 }).waitFor()
  await page.getByRole('table', { name: 'Sessions' }).getByText('this one').waitFor()
  await see('own')
  assert.deepEqual([wrong, complaints], [[], []])
})

test('UI-CONSOLE-003: two administrators invite a member; an action after 15 minutes asks for another login and then continues', async () => {
  const { page, complaints } = ann
  const { wrong, see } = sights(page, 'console', 'en')
  const { proposal } = await create(exchange, 'ben@staff.example', 'Ben Baker', 'administrator')
  assert.ok(proposal !== undefined)
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.getByRole('heading', { name: 'Staff and roles', level: 1 }).waitFor()
  await age()
  await button(page, /^Approve: Invite ben@staff.example as Administrator/).click()
  await dialog(page, 'Approve this proposal?').getByRole('button', { name: 'Approve' }).click()
  const again = dialog(page, 'Confirm that it is you')
  await again.waitFor()
  await see('fresh')
  await again.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByText('Approved.', { exact: true }).waitFor()

  ben = await visitor(browser, exchange, 'narrow')
  await enrol(ben, await tokenTo(exchange, 'ben@staff.example'))
  await page.reload()
  await button(page, 'Propose an invitation').click()
  const form = dialog(page, 'Invitation')
  await form.getByLabel('Name', { exact: true }).fill('Cleo Cole')
  await form.getByLabel('Email address').fill('cleo@staff.example')
  await form.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Auditor' }).click()
  assert.equal(await form.getByRole('button', { name: 'Propose' }).isDisabled(), true)
  await form.getByLabel('Reason').fill('The yearly audit begins')
  await see('propose')
  await form.getByRole('button', { name: 'Propose' }).click()
  await page.getByText('yours: somebody else must approve').waitFor()
  await see('staff')

  await ben.page.reload()
  await ben.page
    .getByRole('navigation')
    .getByRole('link', { name: /Staff and roles/ })
    .getByLabel('1 waiting')
    .waitFor()
  await ben.go('/staff')
  await ben.page.getByText('“The yearly audit begins”').waitFor()
  await sights(ben.page, 'console-narrow', 'en').see('staff')
  await button(ben.page, /^Approve: Invite cleo/).click()
  await dialog(ben.page, 'Approve this proposal?').getByRole('button', { name: 'Approve' }).click()
  await ben.page.getByText('No proposal is open.').waitFor()
  assert.match(await tokenTo(exchange, 'cleo@staff.example'), /^[\w-]{22}$/)
  assert.deepEqual([wrong, complaints, ben.complaints], [[], [], []])
})

test('UI-CONSOLE-008: the paths of the console answer with its page, and an unknown path of its data does not', async () => {
  const get = (path: string) => fetch(`${exchange.url}/console${path}`, { redirect: 'manual' })
  for (const path of ['/', '/identity', '/identity/0190', '/enrol', '/staff?tab=1']) {
    const response = await get(path)
    assert.equal(response.status, 200, path)
    assert.match(response.headers.get('content-type')!, /^text\/html/)
    assert.match(response.headers.get('content-security-policy')!, /script-src 'self'; style-src 'self';/)
  }
  const bare = await get('')
  assert.deepEqual([bare.status, bare.headers.get('location')], [308, '/console/'])
  for (const path of ['/v1', '/v1/', '/v1/nothing', '/assets/nothing.js', '/.stamp']) {
    const response = await get(path)
    assert.equal(response.status, 404, path)
    assert.match(response.headers.get('content-type')!, /^application\/json/)
  }
})

test('UI-CONSOLE-009: without a touch for 30 minutes the page logs out and forgets what it showed', async () => {
  const { page, complaints } = ben
  await page.clock.install()
  await ben.go('/staff')
  await page.getByText('Cleo Cole').waitFor()
  await page.clock.fastForward(29 * 60_000)
  assert.equal(await page.getByText('Cleo Cole').count(), 1)
  await page.clock.fastForward(2 * 60_000)
  await page.getByText('You were logged out after 30 minutes without a touch.').waitFor()
  assert.equal(await page.getByText('Cleo Cole').count(), 0)
  const status = await page.evaluate(async () => (await fetch('/console/v1/auth/me')).status)
  assert.equal(status, 401)
  assert.deepEqual(complaints, [])
})
