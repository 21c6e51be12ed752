/** A member's own login in a browser: passkeys, password, sessions. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { sights } from '../../web/test/sights.ts'
import { create, enrol, type Member, startBrowser, visitor } from './member.ts'

let browser: Browser
let exchange: TestExchange
let ann: Member
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'console-own', hasFeeds: false })
  ann = await visitor(browser, exchange)
  await enrol(ann, (await create(exchange, 'ann@staff.example', 'Ann Archer', 'administrator')).token!)
})
after(async () => {
  await browser?.close()
  await exchange?.[Symbol.asyncDispose]()
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('UI-CONSOLE-010: a member adds a passkey of another device, removes the first one, and logs in with the new one', async () => {
  const { page, complaints } = ann
  const { wrong, see } = sights(page, 'console', 'en')
  await ann.go('/me')
  const passkeys = page.getByRole('table', { name: 'Passkeys' })
  const remove = passkeys.getByRole('button', { name: /^Remove/ })
  await remove.waitFor()
  assert.equal(await remove.isDisabled(), true, 'the last passkey stays')
  const old = (await remove.getAttribute('aria-label'))!.replace('Remove ', '')
  await ann.changeDevice()
  await button(page, 'Add a passkey').click()
  const add = page.getByRole('dialog', { name: 'Add a passkey' })
  await add.getByLabel('Name of this device').fill('Office key')
  await add.getByRole('button', { name: 'Add a passkey' }).click()
  await passkeys.getByText('Office key').waitFor()
  await see('own-passkeys')
  await passkeys.getByRole('button', { name: `Remove ${old}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await passkeys.getByText(old, { exact: true }).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: /Ann Archer/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await button(page, 'Log in with a passkey').click()
  await page.getByRole('heading', { name: 'Your login', level: 1 }).waitFor()
  assert.deepEqual([wrong, complaints], [[], []])
})

test('UI-CONSOLE-011: a member changes the password, and sees and ends the other sessions', async () => {
  const { page, complaints } = ann
  const { wrong, see } = sights(page, 'console', 'en')
  const sessions = page.getByRole('table', { name: 'Sessions' })
  const ends = sessions.getByRole('button', { name: /^End/ })
  // A second session of the same member, as another computer would have it.
  await exchange.store.pool.query(
    `insert into staff_sessions (id, staff, token, device, ip, created_at, last_seen_at)
     select gen_random_uuid(), staff, sha256('another computer'), device, ip, created_at, last_seen_at
     from staff_sessions where revoked_at is null limit 1`,
  )
  await page.reload()
  await ends.nth(1).waitFor()
  await see('own-sessions')
  await button(page, 'Change password').click()
  const ask = page.getByRole('dialog', { name: 'Change password' })
  await ask.getByLabel('New password').fill('ann@staff.example')
  await ask.getByRole('button', { name: 'Change password' }).click()
  await ask.getByText('This password is too common').waitFor()
  await ask.getByLabel('New password').fill('eleven slow ferries')
  await ask.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('The password is changed.').waitFor()
  await ends.nth(1).waitFor({ state: 'detached' })
  assert.equal(await ends.count(), 1)
  assert.deepEqual([wrong, complaints], [[], []])
})

test('UI-CONSOLE-012: the shown rows of a table are saved as a file, in which no cell runs as a formula', async () => {
  const { page, complaints } = ann
  await create(exchange, 'ben@staff.example', '=1+1', 'administrator')
  await ann.go('/staff')
  await page.getByRole('table', { name: 'Members' }).waitFor()
  const saved = page.waitForEvent('download')
  await button(page, 'CSV of proposals').click()
  const [head, line] = (await readFile(await (await saved).path(), 'utf8')).split('\r\n')
  assert.equal(head, 'id,kind,email,name,role,reason,proposedBy,proposedAt,expiresAt')
  assert.match(line!, /^1,invitation,ben@staff.example,'=1\+1,administrator,/)
  assert.deepEqual(complaints, [])
})
