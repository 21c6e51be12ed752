/** A ticket from the phone to the console and back, in two browsers. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { picture } from '../../server/papers/test/pictures.ts'
import { person } from '../../web/test/person.ts'
import { sights } from '../../web/test/sights.ts'
import { create, enrol, type Member, startBrowser, visitor } from './member.ts'

let browser: Browser
let exchange: TestExchange
let ann: Member
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'console-support', hasFeeds: false })
  ann = await visitor(browser, exchange)
  await enrol(ann, (await create(exchange, 'ann@staff.example', 'Ann Archer', 'administrator')).token!)
})
after(async () => {
  await browser?.close()
  await exchange?.[Symbol.asyncDispose]()
})

test('SUPPORT-SCREEN-001: a ticket with a picture is opened on the phone, answered in the console, and closed, all without a reload', async () => {
  const user = await exchange.user()
  const phone = await person(browser, exchange.url, { lang: 'de', user })
  const { page, t } = phone
  const onPhone = sights(page, 'support', 'de')
  const inConsole = sights(ann.page, 'console-support', 'en')
  await phone.go('/support?about=withdrawal%3A4711')
  await page.getByText(t('support.away')).waitFor()
  assert.equal(await page.getByLabel(t('support.subject')).inputValue(), t('support.abouts.withdrawal', { id: '4711' }))
  await page.getByLabel(t('support.text'), { exact: true }).fill('Wo ist sie?\n<img src=x onerror=alert(1)>')
  const file = { name: '"><script>.png', mimeType: 'image/jpeg', buffer: await picture(2_400, 1_600) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('img', { name: t('support.picture', { count: 1 }) }).waitFor()
  await onPhone.see('new')
  await page.getByRole('button', { name: t('support.open'), exact: true }).click()
  await page.getByText('<img src=x onerror=alert(1)>').waitFor()
  await page.getByRole('img', { name: t('support.picture', { count: 1 }) }).waitFor()

  await ann.page.getByRole('link', { name: 'Support', exact: false }).first().click()
  const subject = t('support.abouts.withdrawal', { id: '4711' })
  await ann.page.getByRole('link', { name: subject }).waitFor()
  await inConsole.see('queue')
  await ann.page.getByRole('link', { name: subject }).click()
  await ann.page.getByText('Not this customer’s. Say nothing about it.').waitFor()
  await ann.page.getByText('The customer is looking at this thread').waitFor()
  await ann.page.getByRole('button', { name: 'Show picture 1' }).click()
  await ann.page.getByRole('img', { name: 'Picture 1 of the customer' }).waitFor()
  await page.getByText(t('support.atWork')).waitFor()
  const field = ann.page.getByLabel('Answer', { exact: true })
  await field.fill('Bitte nennen Sie uns den Code aus der SMS.')
  await ann.page.getByRole('button', { name: 'Send answer' }).click()
  await ann.page.getByText(/asks for a password or code/).waitFor()
  await field.fill('Nur ein Vermerk')
  await ann.page.getByRole('button', { name: 'Keep as note' }).click()
  await ann.page.getByText('Noted.').waitFor()
  await field.fill('Sie ist unterwegs.')
  await ann.page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByText('Sie ist unterwegs.').waitFor()
  assert.equal(await page.getByText('Nur ein Vermerk').count(), 0)
  await onPhone.see('thread')
  await page.getByLabel(t('support.write')).fill('Danke')
  await page.getByRole('button', { name: t('support.send') }).click()
  await ann.page.getByText('Danke', { exact: true }).waitFor()
  await inConsole.see('thread')
  await ann.page.getByRole('button', { name: 'Close ticket' }).click()
  await ann.page.getByRole('dialog').getByRole('button', { name: 'Close ticket' }).click()
  await page.getByText(t('support.events.closed-by-support')).waitFor()
  await page.getByRole('button', { name: t('support.reopen') }).waitFor()
  await phone.go('/support')
  await page.getByRole('link', { name: subject }).waitFor()
  await onPhone.see('list')
  assert.deepEqual([onPhone.wrong, inConsole.wrong, phone.complaints, ann.complaints], [[], [], [], []])
  await phone.context.close()
})

test('SUPPORT-SCREEN-003: visitors read answers to frequent questions and log in for a ticket', async () => {
  const { page, t, go, complaints, context } = await person(browser, exchange.url, { lang: 'hk' })
  const { wrong, see } = sights(page, 'support-visitor', 'hk')
  await go('/support?about=order%3A12')
  await page.getByText(t('support.q1')).click()
  await page.getByText(t('support.a1')).waitFor()
  await see('visitor')
  await page.getByRole('link', { name: t('trade.login') }).click()
  await page.waitForURL(/login\?next=/)
  assert.equal(new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('next'), '/support?about=order%3A12')
  assert.deepEqual([wrong, complaints], [[], []])
  await context.close()
})
