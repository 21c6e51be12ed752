/** What a phone remembers of the journal, what it finds, and the screen of proofs. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileVerdict } from '@candor/core/proof/any-file.ts'
import { headLeaf } from '@candor/core/proof/head.ts'
import { toHex } from '@candor/core/proof/sha256.ts'
import type { Browser, Download, Page } from 'playwright-core'
import { Story, keys as storyKeys } from '../../core/proof/test/story.ts'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { isSigned } from '../parts/proof/signed.ts'
import { langsOr, type Person, person, startBrowser } from './person.ts'
import { sights } from './sights.ts'
import { anewHead, forgedHead, nextHead, show, shownBy } from './stories.ts'

let browser: Browser
let exchange: TestExchange
before(async () => {
  browser = await startBrowser()
  exchange = await startExchange({ seed: 'proof', hasFeeds: false })
  await nextHead(exchange)
})
after(async () => {
  await browser.close()
  await exchange[Symbol.asyncDispose]()
})

type Kept = { readonly checkedAt: number; readonly since: number; readonly newest: { readonly head: { readonly n: number } } }
const kept = (page: Page): Promise<Kept> => page.evaluate(() => JSON.parse(localStorage.getItem('heads') ?? '{}') as Kept)

/** As if the last check were an hour ago. */
const isOld = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const memory = JSON.parse(localStorage.getItem('heads') ?? '{}') as object
    localStorage.setItem('heads', JSON.stringify({ ...memory, checkedAt: Date.now() - 3_600_000 }))
  })

/** Waits until the app has checked by itself, some seconds after its start. */
const hasChecked = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const { checkedAt } = JSON.parse(localStorage.getItem('heads') ?? '{}') as { checkedAt?: number }
    return Date.now() - (checkedAt ?? 0) < 3_600_000
  })

async function saved(person: Person, click: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([person.page.waitForEvent('download') as Promise<Download>, click()])
  return readFileSync(await download.path(), 'utf8')
}

for (const lang of langsOr('hk'))
  test(`UI-PROOF-004: in ${lang}, a visitor sees the newest head, from which head it follows, and what is missing, and downloads the heads`, {
    timeout: 300_000,
  }, async () => {
    const someone = await person(browser, exchange.url, { lang })
    const { page, context, t, go, complaints, format } = someone
    const { wrong, see } = sights(page, 'proof', lang)
    await go('/me')
    await page.getByRole('link', { name: new RegExp(`^${RegExp.escape(t('me.proof'))}`) }).click()
    await page.getByText(t('verify.journal.signed'), { exact: true }).waitFor()
    await page.getByText(t('verify.own.loginFirst')).waitFor()
    // No statement of liabilities is made here, and none is shown.
    await page.getByText(t('verify.own.none')).first().waitFor()
    await see('first')
    const first = (await kept(page)).newest.head.n
    const n = await nextHead(exchange)
    await page.reload()
    await page.getByText(t('verify.journal.follows'), { exact: true }).waitFor()
    const from = format.number(first)
    await page
      .getByText(new RegExp(RegExp.escape(t('verify.journal.followsFrom', { n: format.number(n), from, at: '…' }).split('…')[0]!)))
      .waitFor()
    assert.equal((await kept(page)).newest.head.n, n)
    const file = await saved(someone, () =>
      page.getByRole('link', { name: t('verify.journal.getHeads', { from: 1, to: format.number(n) }) }).click(),
    )
    const verdict = await fileVerdict(isSigned, file)
    // Another minute may have ended meanwhile.
    assert.ok(verdict.kind === 'heads' && verdict.wrong === undefined && verdict.last!.n >= n)
    await page.setViewportSize({ width: 320, height: 640 })
    await see('small')
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

test('UI-PROOF-001: some seconds after the start the app checks the newest head, without cookies; an hour later it does so again', {
  timeout: 300_000,
}, async () => {
  const user = await exchange.user()
  const { page, context, go } = await person(browser, exchange.url, { user })
  const asked: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/proof/heads')) void request.allHeaders().then(({ cookie }) => asked.push(cookie))
  })
  await go('/market')
  await hasChecked(page)
  const { n } = (await shownBy(exchange)).heads[0]!
  const memory = await kept(page)
  assert.equal(memory.newest.head.n, n)
  await isOld(page)
  const next = await nextHead(exchange)
  await page.reload()
  await hasChecked(page)
  const later = await kept(page)
  assert.deepEqual([later.newest.head.n, later.since], [next, memory.since])
  assert.deepEqual([...new Set(asked)], [undefined])
  assert.equal(asked.length, 3, 'the newest head twice, and one path')
  await context.close()
})

for (const lang of langsOr('de'))
  test(`UI-PROOF-002: in ${lang}, a forked past opens a held sheet above any screen, once, with evidence that anybody can check`, {
    timeout: 300_000,
  }, async () => {
    const someone = await person(browser, exchange.url, { lang })
    const { page, context, t, go, complaints } = someone
    const { wrong, see } = sights(page, 'fork', lang)
    await go('/proof')
    await page.getByText(t('verify.journal.signed'), { exact: true }).waitFor()
    const [old] = (await shownBy(exchange)).heads
    const forged = await forgedHead(exchange)
    await show(context, forged)
    await isOld(page)
    await go('/market')
    await page.reload()
    const sheet = page.getByRole('dialog', { name: t('verify.fork.title') })
    await sheet.waitFor()
    await sheet.getByText(t('verify.fork.found.path')).waitFor()
    for (const { text } of [old!, forged.heads[0]!]) await sheet.getByText(toHex(headLeaf(text))).waitFor()
    await see('sheet')
    await page.keyboard.press('Escape')
    assert.ok(await sheet.isVisible())
    const file = await saved(someone, () => sheet.getByRole('button', { name: t('verify.fork.save') }).click())
    const verdict = await fileVerdict(isSigned, file)
    assert.ok(verdict.kind === 'evidence' && verdict.verdict.wrong === undefined)
    assert.deepEqual([verdict.evidence.remembered?.head.text, verdict.evidence.shown.head], [old!.text, forged.heads[0]])
    await sheet.getByRole('button', { name: t('verify.fork.goOn') }).click()
    await sheet.waitFor({ state: 'detached' })
    // The same story again, an hour later: nothing new is found.
    await isOld(page)
    await page.reload()
    await hasChecked(page)
    await go('/proof')
    await page.getByText(t('verify.findings')).waitFor()
    await page.getByText(t('verify.fork.found.path')).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    await see('finding')
    // The finding's file says the same to the screen itself.
    await page.getByLabel(t('verify.file.paste')).fill(file)
    await page.getByRole('button', { name: t('verify.file.check') }).click()
    await page.getByText(t('verify.read.evidence'), { exact: true }).waitFor()
    assert.deepEqual([wrong, complaints], [[], []])
    await context.close()
  })

test('UI-PROOF-003: a sandbox that was started anew is said to be so; the same in production is a contradiction', {
  timeout: 300_000,
}, async () => {
  for (const mode of ['sandbox', 'production']) {
    const { page, context, t, go } = await person(browser, exchange.url, { lang: 'fr' })
    await context.route('**/app/v1/config', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ json: { ...((await answer.json()) as object), mode } })
    })
    await go('/proof')
    await page.getByText(t('verify.journal.signed'), { exact: true }).waitFor()
    const anew = await anewHead(exchange)
    await show(context, anew)
    await page.reload()
    if (mode === 'sandbox') {
      await page.getByText(t('verify.journal.anew', { at: '…' }).split('…')[0]!).waitFor()
      assert.equal(await page.getByText(t('verify.findings')).count(), 0)
    } else {
      await page.getByText(t('verify.journal.contradicted')).waitFor()
      await page
        .getByRole('dialog', { name: t('verify.fork.title') })
        .getByText(t('verify.fork.found.keys'))
        .waitFor()
    }
    assert.equal((await kept(page)).newest.head.n, 1)
    await context.close()
  }
})

test('UI-PROOF-006: chosen and pasted files are read and checked on the device, and one with a changed byte is refused', {
  timeout: 300_000,
}, async () => {
  const { page, context, t, go, complaints, format } = await person(browser, exchange.url, { lang: 'it' })
  const { wrong, see } = sights(page, 'files', 'it')
  await nextHead(exchange)
  const heads = await (await fetch(`${exchange.url}/app/v1/proof/heads.ndjson`)).text()
  const lines = heads.trimEnd().split('\n')
  const count = lines.length - 1
  const file = (name: string, text: string) => ({ name, mimeType: 'application/x-ndjson', buffer: Buffer.from(text) })
  await go('/proof')
  await page.getByText(t('verify.journal.signed'), { exact: true }).waitFor()
  const input = page.locator('input[type=file]')
  const right = page.getByText(t('verify.read.heads_other', { number: format.number(count) }), { exact: true })
  await input.setInputFiles(file('heads.ndjson', heads))
  await right.waitFor()
  const known = t('verify.read.keyKnown', { key: '…' }).split('…')
  await page.getByText(known[1]!).waitFor()
  await see('right')
  const ticks = page.getByRole('status').filter({ hasText: 'heads.ndjson' }).locator('svg.text-ok')
  assert.equal(await ticks.count(), 1)
  // What another key signed is right in itself, and proves nothing to somebody who knows this exchange’s key.
  const story = new Story(2)
  await input.setInputFiles(file('heads.ndjson', [{ keys: storyKeys }, ...story.heads].map((line) => JSON.stringify(line)).join('\n')))
  await page.getByText(t('verify.read.keyOther', { key: '…' }).split('…')[1]!).waitFor()
  assert.equal(await ticks.count(), 0)
  await see('other')
  await input.setInputFiles(
    file(
      'heads.ndjson',
      heads.replace(/seq (\d)/, (_, digit: string) => `seq ${(Number(digit) % 9) + 1}`),
    ),
  )
  await page.getByText(t('verify.read.wrong'), { exact: true }).waitFor()
  await see('wrong')
  // Two downloads, chosen in the wrong order.
  const [keys, ...own] = lines
  const parts = [own.slice(0, 1), own.slice(1)].map((part) => `${[keys, ...part].join('\n')}\n`)
  await input.setInputFiles([file('candor-heads-10081.ndjson', parts[1]!), file('candor-heads-1.ndjson', parts[0]!)])
  await right.waitFor()
  await page.getByLabel(t('verify.file.paste')).fill('{"a":1}')
  await page.getByRole('button', { name: t('verify.file.check') }).click()
  await page.getByText(t('verify.read.unknown'), { exact: true }).waitFor()
  assert.deepEqual([wrong, complaints], [[], []])
  await context.close()
})
