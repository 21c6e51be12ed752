/** Requests of customers who have lost their second factors, in a browser. `CANDOR_PICTURES=folder` saves pictures. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generateSync } from 'otplib'
import type { Browser } from 'playwright-core'
import { startExchange, type TestExchange, type TestUser } from '../../server/main/test/exchange.ts'
import { picture } from '../../server/papers/test/pictures.ts'
import { sights } from '../../web/test/sights.ts'
import { create, enrol, hire, type Member, startBrowser, visitor } from './member.ts'

let browser: Browser
let exchange: TestExchange
let clara: Member
let dora: Member
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'console-recoveries', hasFeeds: false })
  const ann = await visitor(browser, exchange)
  await enrol(ann, (await create(exchange, 'ann@staff.example', 'Ann Archer', 'administrator')).token!)
  const ben = await visitor(browser, exchange)
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

const whole = { kind: 'id-card', country: 'DE', name: 'Erika Mustermann', born: '1984-02-29' } as const

test('UI-CONSOLE-050: both documents stand side by side with what differs; one reviewer proposes access, and another signs it', async () => {
  const { page, complaints } = clara
  const { wrong, see } = sights(page, 'recoveries', 'en')
  const user = await certified('L01X00T47')
  await request(user, 'L01X00T47')
  await clara.go('/')
  await page.getByRole('region', { name: 'Identity' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await page.getByText('Choose a request on the left').waitFor()
  await page.getByRole('link', { name: user.uid }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: `Customer ${user.uid}` }).waitFor()
  for (const which of ['Certified document', 'Shown again'])
    for (const side of ['Front', 'Back']) await page.getByRole('img', { name: `${which}: ${side} of the document` }).waitFor()
  assert.equal(await page.getByText('same', { exact: true }).count(), 5)
  await see('open')
  await page.getByRole('button', { name: 'Propose access' }).click()
  const propose = page.getByRole('dialog', { name: /^Propose access/ })
  await propose.getByLabel('Reason').fill('Same card, same person')
  await propose.getByRole('button', { name: 'Propose access' }).click()
  await page.getByText('yours: somebody else must sign').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Sign access' }).count(), 0)

  const narrow = sights(dora.page, 'recoveries-narrow', 'en')
  await dora.go(new URL(page.url()).pathname.replace('/console', ''))
  await dora.page.getByText(`Four eyes: access for customer ${user.uid}?`).waitFor()
  await dora.page.getByRole('img', { name: 'Shown again: Front of the document' }).waitFor()
  await narrow.see('signing')
  await dora.page.getByRole('button', { name: 'Sign access' }).click()
  await dora.page.getByRole('dialog').getByRole('button', { name: 'Sign access' }).click()
  await dora.page.getByText(`Approved. The waiting time of customer ${user.uid} runs.`).waitFor()
  await dora.page.getByText('There is nothing to decide.').waitFor()
  await narrow.see('signed')
  assert.deepEqual([wrong, narrow.wrong, complaints, dora.complaints], [[], [], [], []])
})

test('UI-CONSOLE-051: a document that differs can only be declined, by one reviewer with a reason', async () => {
  const { page, complaints } = clara
  const { wrong, see } = sights(page, 'recoveries', 'en')
  const user = await certified('L01X00T48')
  await request(user, 'L01X00T99')
  await clara.go('/recoveries')
  await page.getByRole('link', { name: user.uid }).click()
  await page.getByText('Type, country or number differ: the request can only be declined.').waitFor()
  await page.getByRole('img', { name: 'Shown again: Back of the document' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Propose access' }).isDisabled(), true)
  await see('differs')
  await page.getByRole('button', { name: 'Decline' }).click()
  const decline = page.getByRole('dialog', { name: /^Decline the request/ })
  await decline.getByLabel('Reason').fill('Another card')
  await see('decline')
  await decline.getByRole('button', { name: 'Decline' }).click()
  await page.getByText('The request is declined.').waitFor()
  await page.getByRole('link', { name: user.uid }).waitFor({ state: 'detached' })
  assert.deepEqual([wrong, complaints], [[], []])
})

async function photo(cookie: string, path: string): Promise<void> {
  const headers = { origin: exchange.url, cookie, 'content-type': 'image/jpeg' }
  const body = new Uint8Array(await picture(1_000, 640))
  assert.equal((await fetch(`${exchange.url}/app/v1${path}`, { method: 'PUT', headers, body })).status, 200)
}

/** A customer whom Clara has certified, with an authenticator app. */
async function certified(number: string): Promise<TestUser> {
  const user = await exchange.user()
  await user.call('PATCH', '/papers', { ...whole, number })
  for (const side of ['front', 'back']) await photo(user.cookie, `/papers/photos/${side}`)
  assert.equal((await user.call('POST', '/papers/send')).status, 200)
  const { page } = clara
  await clara.go('/identity')
  await page.getByRole('link', { name: user.uid }).click()
  await page.getByRole('button', { name: 'Claim' }).click()
  await page.getByRole('img', { name: 'Front of the document' }).waitFor()
  for (let field = 0; field < 7; field++) await page.keyboard.press('y')
  await page.getByText('Everything is right.').waitFor()
  await page.keyboard.press('a')
  await page.getByText(`Customer ${user.uid} is certified.`).waitFor()
  await user.call('POST', '/auth/proof/code', {})
  const code = await inMail(user, /^([0-9]{6}) is your confirmation code/)
  await user.call('POST', '/auth/proof', { way: 'code', code, password: user.password })
  const { body } = await user.call('POST', '/auth/authenticator', {})
  const confirmed = await user.call('POST', '/auth/authenticator/confirm', { code: generateSync({ secret: body.secret }) })
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body))
  return user
}

/** The customer asks for access in a new browser, and shows a document of this number. */
async function request(user: TestUser, number: string): Promise<void> {
  let cookie = ''
  const post = async (path: string, body?: unknown): Promise<number> => {
    const answer = await fetch(`${exchange.url}/app/v1${path}`, {
      method: 'POST',
      headers: {
        ...{ origin: exchange.url },
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie === '' ? {} : { cookie }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of answer.headers.getSetCookie()) cookie = line.split(';', 1)[0]!
    return answer.status
  }
  await post('/auth/login', { channel: 'email', to: user.email, password: user.password, lang: 'en' })
  await post('/auth/regain/code')
  const code = await inMail(user, /^([0-9]{6}) is your code to regain access/)
  assert.equal(await post('/auth/regain', { channel: 'email', code }), 200)
  for (const side of ['front', 'back']) await photo(cookie, `/auth/regain/photos/${side}`)
  assert.equal(await post('/auth/regain/send', { ...whole, number }), 200)
}

/** The text of the newest message of this kind. */
async function inMail({ email }: TestUser, pattern: RegExp): Promise<string> {
  for (;;) {
    const answer = await fetch(`${exchange.url}/inbox.json?to=${encodeURIComponent(email)}`)
    const { messages } = (await answer.json()) as { readonly messages: readonly { readonly subject: string }[] }
    const found = messages.map(({ subject }) => pattern.exec(subject)?.[1]).find((one) => one !== undefined)
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 50))
  }
}
