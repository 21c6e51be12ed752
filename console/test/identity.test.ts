/** The queue of identity checks and the audit log in a browser. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { picture } from '../../server/papers/test/pictures.ts'
import { sights } from '../../web/test/sights.ts'
import { create, enrol, hire, type Member, startBrowser, visitor } from './member.ts'

let browser: Browser
let exchange: TestExchange
let ann: Member
let ben: Member
let clara: Member
let dora: Member
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'console-identity', hasFeeds: false })
  ann = await visitor(browser, exchange)
  await enrol(ann, (await create(exchange, 'ann@staff.example', 'Ann Archer', 'administrator')).token!)
  ben = await visitor(browser, exchange)
  await hire(exchange, [ann], ben, ['ben@staff.example', 'Ben Baker', 'administrator'])
  clara = await visitor(browser, exchange)
  await hire(exchange, [ann, ben], clara, ['clara@staff.example', 'Clara Clark', 'compliance'])
  dora = await visitor(browser, exchange, 'narrow')
  await hire(exchange, [ann, ben], dora, ['dora@staff.example', 'Dora Dunn', 'compliance'])
})
after(async () => {
  await browser?.close()
  await exchange?.[Symbol.asyncDispose]()
})

const whole = { kind: 'id-card', country: 'DE', name: 'Erika Mustermann', born: '1984-02-29', number: 'L01X00T47' }

/** A customer whose check waits. */
async function sender(draft: Readonly<Record<string, string>> = whole): Promise<TestUser> {
  const user = await exchange.user()
  await user.call('PATCH', '/papers', draft)
  const photo = new Uint8Array(await picture(1_000, 640))
  for (const side of draft['kind'] === 'passport' ? ['front'] : ['front', 'back']) {
    const headers = { origin: exchange.url, cookie: user.cookie, 'content-type': 'image/jpeg' }
    const put = await fetch(`${exchange.url}/app/v1/papers/photos/${side}`, { method: 'PUT', headers, body: photo })
    assert.equal(put.status, 200)
  }
  assert.equal((await user.call('POST', '/papers/send')).status, 200)
  return user
}

test('UI-CONSOLE-004: a reviewer claims a check, judges each field by keys, and sends it back with the reasons that the customer will read', async () => {
  const { page, complaints } = clara
  const { wrong, see } = sights(page, 'console', 'en')
  const user = await sender()
  await sender({ ...whole, kind: 'passport', number: 'C01X00T47' })
  await clara.go('/')
  await page.getByRole('region', { name: 'Identity' }).getByText('2', { exact: true }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByText('Choose a check on the left').waitFor()
  await page.getByRole('link', { name: user.uid }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: `Customer ${user.uid}` }).waitFor()
  assert.equal(await page.getByRole('img', { name: 'Front of the document' }).count(), 0)
  await see('identity-unclaimed')
  await page.keyboard.press('c')
  for (const name of ['Front of the document', 'Back of the document']) await page.getByRole('img', { name }).waitFor()
  for (const _ of ['kind', 'country', 'name', 'born', 'number']) await page.keyboard.press('y')
  await page.keyboard.press('y')
  await page.keyboard.press('7')
  await page.keyboard.press('n')
  const certify = page.getByRole('button', { name: 'Certify' })
  const sendBack = page.getByRole('button', { name: /^Send back/ })
  await page.getByText('Give a reason for each field that is wrong.').waitFor()
  assert.deepEqual([await certify.isDisabled(), await sendBack.isDisabled()], [true, true])
  await page.getByRole('button', { name: 'Glare', exact: true }).click()
  await page.getByText('Glare covers part of the document.').waitFor()
  assert.deepEqual([await certify.isDisabled(), await sendBack.isDisabled()], [true, false])
  await see('identity')
  await page.keyboard.press('r')
  await page.getByText(`The check of customer ${user.uid} is sent back.`).waitFor()
  const { body } = await user.call('GET', '/papers')
  assert.deepEqual([body.state, body.faults], ['rejected', [{ field: 'back', reason: 'glare' }]])
  assert.deepEqual([wrong, complaints], [[], []])
})

test('UI-CONSOLE-005: a check of another reviewer shows no photo and no verdicts; a certificate is revoked by two reviewers', async () => {
  const { page, complaints } = clara
  const { wrong, see } = sights(dora.page, 'console-narrow', 'en')
  await page.keyboard.press('j')
  await page.getByText('Claim it to see the photos.').waitFor()
  const uid = (await page.getByRole('heading', { name: /^Customer/ }).textContent())!.replace('Customer ', '')
  await page.keyboard.press('c')
  await page.getByRole('img', { name: 'Front of the document' }).waitFor()
  assert.equal(await page.getByRole('img', { name: 'Back of the document' }).count(), 0, 'a passport has one photo')

  await dora.go(new URL(page.url()).pathname.replace('/console', ''))
  await dora.page.getByText('Claimed by clara@staff.example').waitFor()
  assert.equal(await dora.page.getByRole('img', { name: 'Front of the document' }).count(), 0)
  assert.equal(await dora.page.getByRole('button', { name: /is right$/ }).count(), 0)
  assert.equal(await dora.page.getByRole('button', { name: 'Claim' }).isDisabled(), true)
  await see('identity')

  for (const _ of ['kind', 'country', 'name', 'born', 'number', 'front']) await page.keyboard.press('y')
  await page.getByText('Everything is right.').waitFor()
  await page.keyboard.press('a')
  await page.getByText(`Customer ${uid} is certified.`).waitFor()
  await page.getByRole('button', { name: 'Propose to revoke' }).click()
  const propose = page.getByRole('dialog', { name: /^Propose to revoke/ })
  await propose.getByLabel('Reason').fill('The document was reported stolen')
  await propose.getByRole('button', { name: 'Propose' }).click()
  await propose.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await page.getByText('yours: somebody else must sign').waitFor()

  await dora.page.reload()
  await dora.page.getByText(`Four eyes: revoke the certificate of customer ${uid}?`).waitFor()
  await see('revocation')
  await dora.page.getByRole('button', { name: `Sign revocation ${uid}` }).click()
  await dora.page.getByRole('dialog').getByRole('button', { name: 'Sign revocation' }).click()
  await dora.page.getByText(`The certificate of customer ${uid} is revoked.`).waitFor()
  assert.deepEqual([wrong, complaints, dora.complaints], [[], [], []])
})

test('UI-CONSOLE-006: the log is filtered by member and action, its entries show all of themselves, and it is saved as a file', async () => {
  const { page, complaints } = ann
  const { wrong, see } = sights(page, 'console', 'en')
  await ann.go('/log')
  const table = page.getByRole('table', { name: 'Audit log' })
  await table.getByText('Revocation approved').waitFor()
  await see('log')
  await page.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Papers rejected' }).click()
  await table.getByText('Papers rejected').waitFor()
  assert.equal(await table.getByRole('row').count(), 2)
  assert.match(page.url(), /action=papers-rejected/)
  await table.getByRole('button', { name: /^Details/ }).click()
  await page
    .getByRole('dialog', { name: /^Papers rejected/ })
    .getByText('"reason": "glare"')
    .waitFor()
  await see('log-entry')
  await page.getByRole('button', { name: 'Close' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  assert.equal((await saved).suggestedFilename(), 'staff-log.csv')
  await page.getByRole('combobox', { name: 'Member' }).click()
  await page.getByRole('option', { name: 'dora@staff.example' }).click()
  await page.getByText('No entry matches.').waitFor()
  assert.deepEqual([wrong, complaints], [[], []])
})
