/**
 * A firm on the phone: its owner opens an account, acts for it and comes back; two people approve a rule and an address. `CANDOR_LOCALES=en,hk,de`
 * chooses languages; `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { WireFirm } from '@candor/core/protocol/wire/firm/firm.ts'
import type { Browser } from 'playwright-core'
import { acceptFirm, trust } from '../../server/app/firm/test/office.ts'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'firms', hasFeeds: false })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

const button = ({ page, t }: Person, key: string, values = {}) => page.getByRole('button', { name: t(key, values), exact: true })
const tab = ({ page, t }: Person, key: string) => page.getByRole('tab', { name: new RegExp(`^${RegExp.escape(t(key))}`) })

/** A certified person with a second factor. */
async function trusted(): Promise<TestUser> {
  const user = await exchange.user({ isCertified: true })
  await trust(exchange, user.uid)
  return user
}

async function founded(owner: TestUser, registration: string): Promise<WireFirm> {
  const { body } = await owner.call('POST', '/firms', { name: 'Acme Capital GmbH', registration, country: 'DE' })
  await acceptFirm(exchange, body.id)
  return (await owner.call('GET', `/firms/${body.id}`)).body
}

for (const [n, lang] of langsOr('de').entries())
  test(`UI-FIRM-001: in ${lang}, the owner of a firm opens an account, uses it, and comes back to the own one`, {
    timeout: 240_000,
  }, async () => {
    const owner = await trusted()
    const firm = await founded(owner, `HRB 10${n}`)
    const someone = await person(browser, exchange.url, { lang, user: owner })
    const { page, t, go, complaints, context } = someone
    const looks = sights(page, 'firms', lang)
    await go('/organization')
    await page.getByText(firm.name).waitFor()
    await looks.see('list')
    await page.getByRole('link', { name: new RegExp(RegExp.escape(firm.name)) }).click()
    await button(someone, 'firm.newAccount').click()
    await page.getByLabel(t('firm.accountName')).fill('Desk 1')
    await looks.see('new')
    await button(someone, 'firm.create').click()
    await page.getByRole('heading', { name: 'Desk 1', exact: true }).waitFor()
    await looks.see('accounts')
    for (const key of ['members', 'rule', 'log', 'requests'] as const) {
      await tab(someone, `firm.${key}`).click()
      await page.getByRole('tabpanel', { name: t(`firm.${key}`) }).waitFor()
      await looks.see(key)
    }
    await tab(someone, 'firm.accounts').click()
    await page
      .locator('section', { hasText: 'Desk 1' })
      .getByRole('button', { name: t('firm.act'), exact: true })
      .click()
    await page.getByText(t('shell.acting', { firm: firm.name, account: 'Desk 1' })).waitFor()
    await looks.see('acting')
    await button(someone, 'shell.actingEnd').click()
    await page.getByText(t('shell.acting', { firm: firm.name, account: 'Desk 1' })).waitFor({ state: 'detached' })
    assert.deepEqual([...looks.wrong, ...complaints], [])
    await context.close()
  })
