/** A newcomer on the Futures desk: the offered tour, its keys and its end, and the words that explain themselves. */
import assert from 'node:assert/strict'
import type { Browser, Locator } from 'playwright-core'
import type { TestExchange } from '../../server/main/test/exchange.ts'
import { violations } from './axe.ts'
import { person } from './person.ts'
import { pictured } from './sights.ts'

export async function walksTour(browser: Browser, exchange: TestExchange): Promise<void> {
  const user = await exchange.user({})
  const someone = await person(browser, exchange.url, { user, isFirstVisit: true })
  const { page, t, go } = someone
  try {
    await go('/contract?symbol=BTCUSDTPERP')
    const chip = page.getByRole('complementary', { name: t('tour.offer') })
    await chip.waitFor()
    assert.deepEqual(await violations(page), [])
    await pictured(page, 'tour-chip')
    await chip.getByRole('button', { name: t('tour.offer') }).click()
    const card = (step: string): Locator => page.getByRole('dialog', { name: t(`tour.perp.${step}.title`) })
    await card('header').getByText(t('tour.perp.header.text')).waitFor()
    await page.waitForFunction((name) => document.activeElement?.textContent === name, t('tour.next'))
    assert.deepEqual(await violations(page), [])
    for (const step of ['account', 'ticket', 'costs', 'panel']) {
      await page.keyboard.press('Enter')
      await card(step).waitFor()
      await pictured(page, `tour-${step}`)
    }
    await page.keyboard.press('Escape')
    await card('panel').waitFor({ state: 'detached' })
    assert.equal(await chip.count(), 0)
    for (;;) {
      const { value } = (await user.call('GET', '/preferences/guide')).body
      if (value?.tours.join() === 'perp') break
      await page.waitForTimeout(50)
    }
    await page.reload()
    const again = page.getByRole('navigation', { name: t('tour.menu') }).getByRole('button', { name: t('tour.again') })
    await again.click()
    assert.equal(await chip.count(), 0)
    await card('header')
      .getByRole('button', { name: t('tour.skip') })
      .click()
    await card('header').waitFor({ state: 'detached' })

    // A word with a dotted underline explains itself, and leads to all terms.
    await page
      .getByRole('button', { name: `${t('perp.mark')}, ${t('perp.index')}`, exact: true })
      .first()
      .click()
    const term = page.getByRole('dialog', { name: t('terms.of.mark.name') })
    await term.getByText(t('terms.of.mark.text')).waitFor()
    assert.deepEqual(await violations(page), [])
    await term.getByRole('button', { name: t('terms.of.index.name'), exact: true }).click()
    const next = page.getByRole('dialog', { name: t('terms.of.index.name') })
    await next.getByText(t('terms.of.index.example')).waitFor()
    await next.getByRole('link', { name: t('terms.page.all') }).click()
    await page.getByRole('heading', { name: t('terms.page.title') }).waitFor()
    await page.getByText(t('terms.of.index.text')).waitFor()
    await page.getByLabel(t('terms.page.search')).fill('time-weighted')
    await page.getByText(t('terms.of.median.name')).waitFor()
    assert.equal(await page.getByText(t('terms.of.mark.name'), { exact: true }).count(), 0)
    assert.deepEqual(await violations(page), [])
    assert.deepEqual(someone.complaints, [])
  } finally {
    await someone.context.close()
  }
}
