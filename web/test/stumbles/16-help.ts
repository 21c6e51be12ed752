import type { Locator } from 'playwright-core'
import { type Stumble } from './scene.ts'

export const help: Stumble = {
  number: 16,
  does: 'a tour shows the parts of a desk, a term explains itself by a tap, and all terms are searched',
  isFirstVisit: true,
  async run(scene) {
    const { page, t, go, see, lang } = scene
    await go('/contract?symbol=BTCUSDTPERP')
    // On the first visit in Chinese, the app asks for the colours of prices.
    if (lang.startsWith('hk')) {
      const colours = page.getByRole('dialog', { name: t('setting.colours') })
      await colours.getByText(t('setting.redUp')).tap()
      await colours.getByRole('button', { name: t('common.done') }).tap()
    }
    const offer = page.getByRole('complementary', { name: t('tour.offer') }).getByRole('button', { name: t('tour.offer') })
    await offer.waitFor()
    await see('offer')
    await offer.tap()
    const card = (step: string): Locator => page.getByRole('dialog', { name: t(`tour.perp.${step}.title`) })
    for (const step of ['header', 'account', 'ticket', 'costs']) {
      await card(step).waitFor()
      await see(`tour-${step}`)
      await card(step)
        .getByRole('button', { name: t('tour.next') })
        .tap()
    }
    await card('panel').waitFor()
    await page.keyboard.press('Escape')
    await card('panel').waitFor({ state: 'detached' })
    await page
      .getByRole('button', { name: `${t('perp.mark')}, ${t('perp.index')}`, exact: true })
      .first()
      .tap()
    const term = page.getByRole('dialog', { name: t('terms.of.mark.name') })
    await term.getByText(t('terms.of.mark.text')).waitFor()
    await see('term')
    await term.getByRole('link', { name: t('terms.page.all') }).tap()
    await page.getByRole('heading', { name: t('terms.page.title') }).waitFor()
    await page.getByLabel(t('terms.page.search')).fill(t('terms.of.index.name'))
    await page.getByText(t('terms.of.index.name'), { exact: true }).tap()
    await page.getByText(t('terms.of.index.text')).waitFor()
    await see('search')
  },
}
