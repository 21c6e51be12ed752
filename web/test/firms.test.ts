/**
 * A firm on the phone: its owner opens an account, acts for it and comes back; two members approve an address. `CANDOR_LOCALES=en,hk,de` chooses languages; `CANDOR_PICTURES=folder` saves pictures.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { WireFirm } from '@candor/core/protocol/wire/firm/firm.ts'
import type { Browser } from 'playwright-core'
import { acceptFirm, trust } from '../../server/app/firm/test/office.ts'
import { ChainsFolder } from '../../server/chains/test/chains-folder.ts'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'

const address = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
let browser: Browser
let exchange: TestExchange
let folder: ChainsFolder
before(async () => {
  browser = await startBrowser()
  folder = new ChainsFolder()
  exchange = await startExchange({ seed: 'firms', hasFeeds: false, settings: { chainsFolder: folder.path } })
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
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

/** Marks all logins of a person as proven, as after a passkey. */
async function prove({ uid }: TestUser): Promise<void> {
  const proven = 'update sessions set proven_at = $2 where account = (select id from accounts where uid = $1)'
  await exchange.store.pool.query(proven, [uid, Date.now()])
}

async function asked(by: TestUser, firm: WireFirm, wish: object): Promise<void> {
  const { status, body } = await by.call('POST', `/firms/${firm.id}/requests`, { clientId: randomUUID(), ...wish })
  assert.equal(status, 201, JSON.stringify(body))
}

for (const [n, lang] of langsOr('de').entries())
  test(`UI-FIRM-001: in ${lang}, the owner of a firm opens an account, uses it, and comes back to the own one`, {
    timeout: 240_000,
  }, async (walk) => {
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
    await walk.test('UI-FIRM-004: a further account is told that only the main one takes part in presales', async () => {
      await go('/sellList')
      await page.getByText(t('presale.eligible.sub'), { exact: true }).first().click()
      await page.getByText(t('presale.mainOnly')).waitFor()
      await looks.see('presale')
      assert.equal(await button(someone, 'presale.join').count(), 0)
      await page.getByRole('link', { name: t('presale.toFirm'), exact: true }).click()
      await page.getByRole('heading', { name: 'Desk 1', exact: true }).waitFor()
    })
    await button(someone, 'shell.actingEnd').click()
    await page.getByText(t('shell.acting', { firm: firm.name, account: 'Desk 1' })).waitFor({ state: 'detached' })
    assert.deepEqual([...looks.wrong, ...complaints], [])
    await context.close()
  })

test('UI-FIRM-002: somebody joins by invitation and asks for an address in the usual form; another member approves it after a second tap', {
  timeout: 240_000,
}, async () => {
  const [owner, treasurer] = [await trusted(), await trusted()]
  await prove(owner)
  await prove(treasurer)
  const firm = await founded(owner, 'HRB 200')
  await asked(owner, firm, { kind: 'member', member: { uid: treasurer.uid, label: 'Tina', role: 'treasurer', accounts: null } })
  const tina = await person(browser, exchange.url, { user: treasurer })
  const looks = sights(tina.page, 'firms', 'en')
  await tina.go('/notices')
  await tina.page.getByText(tina.t('notices.kind.firm-invited.title')).click()
  await tina.page.getByText(tina.t('firm.invited', { firm: firm.name })).waitFor()
  await looks.see('invited')
  await button(tina, 'firm.accept').click()
  await tina.page.getByRole('link', { name: new RegExp(RegExp.escape(firm.name)) }).waitFor()
  await asked(owner, firm, { kind: 'rule', rule: { bands: [{ upTo: null, people: 2 }], addressPeople: 2 } })

  await tina.go(`/organization?firm=${firm.id}&tab=requests`)
  assert.equal(await tab(tina, 'firm.log').count(), 0, 'a treasurer reads no log')
  await button(tina, 'firm.askAddress').click()
  await tina.page.getByLabel(tina.t('addresses.address'), { exact: true }).fill(address)
  await tina.page.getByLabel(tina.t('addresses.name'), { exact: true }).fill('Cold store')
  await button(tina, 'addresses.send').click()
  const waiting = tina.page.locator('section', { hasText: tina.t('firm.kind.address', { name: 'Cold store' }) })
  await waiting.getByText(tina.t('firm.votes', { yes: 1, people: 2 })).waitFor()
  assert.equal(await waiting.getByRole('button', { name: tina.t('firm.approve'), exact: true }).count(), 0, 'nobody approves twice')
  await looks.see('waiting')

  const olaf = await person(browser, exchange.url, { user: owner })
  await olaf.go(`/organization?firm=${firm.id}&tab=requests`)
  const card = olaf.page.locator('section', { hasText: olaf.t('firm.kind.address', { name: 'Cold store' }) })
  assert.equal((await card.innerText()).replace(/\s/g, '').includes(address), true, 'whoever approves sees the whole address')
  await card.getByRole('button', { name: olaf.t('firm.approve'), exact: true }).click()
  await card.getByRole('button', { name: olaf.t('firm.really', { what: olaf.t('firm.approve') }), exact: true }).click()
  await card.getByText(olaf.t('firm.request.done'), { exact: true }).waitFor()
  await olaf.page.getByText(olaf.t('firm.votes', { yes: 2, people: 2 })).waitFor()

  await olaf.go(`/organization?firm=${firm.id}&tab=rule`)
  await olaf.page.getByText(olaf.t('firm.spareHint')).waitFor()

  // Whatever name a request about a member gives them, it tells who they are.
  const { members } = (await owner.call('GET', `/firms/${firm.id}`)).body as WireFirm
  const { id } = members.find(({ uid }) => uid === treasurer.uid)!
  await asked(owner, firm, { kind: 'member', member: { member: id, role: 'viewer', label: 'Olivia', accounts: null } })
  await tina.page.reload()
  const about = tina.page.locator('section', { hasText: tina.t('firm.kind.member', { name: 'Tina → Olivia' }) })
  await about.getByText(`UID ${treasurer.uid}`).waitFor()
  await about.getByText(`${tina.t('firm.role.treasurer')} → ${tina.t('firm.role.viewer')}`, { exact: true }).waitFor()
  await looks.see('member')

  // Still acting for the main account, whose list has it now.
  await tina.go('/addresslist')
  await tina.page.getByText('Cold store').waitFor()
  await looks.see('addresses')
  await tina.go('/withdrawel')
  await looks.see('withdraw')
  assert.deepEqual([...looks.wrong, ...tina.complaints, ...olaf.complaints], [])
  await tina.context.close()
  await olaf.context.close()
})
