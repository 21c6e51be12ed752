/** The journeys of a new person: registration, practice funds, Spot, Futures, a transfer, Second, language and theme. */
import { codeFor, languages, textOf } from '../../web/test/person.ts'
import { field, type Hand, named, text } from './hand.ts'
import type { What } from './look.ts'

const dialog: What = { role: 'dialog' }
const password = 'a long enough secret 7'

export async function registers(hand: Hand): Promise<void> {
  const email = `${hand.lang}.${Date.now()}@browsers.example`
  await hand.go('/register')
  await hand.fills(named('field', hand.t('common.contact')), email)
  await hand.taps({ role: 'button', name: hand.t('gates.chooseCountry'), by: 'part' })
  const country = new Intl.DisplayNames([languages[hand.lang]], { type: 'region' }).of('FR')!
  const list = named('dialog', hand.t('gates.residence'))
  await hand.fills(named('field', hand.t('gates.searchCountry'), list), country)
  await hand.taps({ role: 'radio', name: country, by: 'part', inside: list, nth: 0 })
  await hand.taps(named('button', hand.t('auth.sendCode')))
  await hand.fills(named('field', hand.t('fields.code')), await codeFor(hand.url, email))
  await hand.fills(named('field', hand.t('auth.password')), password)
  await hand.fills(named('field', hand.t('auth.passwordAgain')), password)
  for (const nth of [0, 1]) await hand.taps({ role: 'checkbox', nth })
  await hand.pictured('register')
  await hand.taps(named('button', hand.t('auth.createAccount')))
  await hand.sees(text(hand.t('auth.welcome')))
}

const ticketOf = (hand: Hand): What => named('region', hand.t('trade.ticket'))

async function choosesKind(hand: Hand, from: string, to: string): Promise<void> {
  await hand.taps(named('button', hand.t(`trade.kind.${from}`), ticketOf(hand)))
  await hand.taps({ role: 'radio', name: hand.t(`trade.kind.${to}`), by: 'start', inside: dialog, nth: 0 })
  await hand.gone(dialog)
}

/** Practice funds from the ticket, an order that is filled, and one that rests and is cancelled. */
export async function tradesSpot(hand: Hand): Promise<void> {
  const ticket = ticketOf(hand)
  await hand.go('/spot?symbol=BTCUSDT')
  await choosesKind(hand, 'limit', 'market')
  await hand.fills(field(hand.t('trade.quantity'), ticket), '0.002')
  await hand.taps(named('button', hand.t('first.practice'), ticket))
  await hand.sees(text(hand.t('first.practiceDone')))
  await hand.taps(named('button', hand.t('trade.buyCoin', { coin: 'BTC' }), ticket))
  await hand.pictured('confirm')
  await hand.taps(named('button', hand.t('trade.confirm'), dialog))
  await hand.sees(text(hand.t('orders.bought', { quantity: '' }).trim()))

  await choosesKind(hand, 'market', 'limit')
  await hand.taps(named('radio', hand.t('trade.sell'), ticket))
  const price = field(hand.t('trade.price'), ticket)
  const now = Number((await hand.sees(price)).value.replaceAll(/[^\d]/g, '')) / 10
  await hand.fills(price, hand.format.number(String(Math.round(now * 1.1)), 1, 1))
  await hand.fills(field(hand.t('trade.quantity'), ticket), hand.format.number('0.001', 3, 3))
  await hand.taps(named('button', hand.t('trade.sellCoin', { coin: 'BTC' }), ticket))
  await hand.taps(named('button', hand.t('trade.confirm'), dialog))
  await hand.sees(text(hand.t('orders.placed')))
  const cancel = named('button', hand.t('orders.cancel'), { role: 'article' })
  await hand.sees(cancel)
  await hand.pictured('spot')
  await hand.taps(cancel)
  await hand.sees(text(hand.t('orders.noneOpen')))
}

/** Money moves in from the ticket, after the verification; then a position is opened and closed. */
export async function tradesFutures(hand: Hand): Promise<void> {
  const ticket = ticketOf(hand)
  await hand.go('/contract?symbol=BTCUSDTPERP')
  await choosesKind(hand, 'limit', 'market')
  await hand.fills(field(hand.t('trade.size'), ticket), hand.format.number('0.01', 2, 2))
  await hand.taps(named('button', hand.t('first.transfer', { asset: 'USDT' }), ticket))
  const sheet = named('dialog', hand.t('accounts.move.title'))
  await hand.fills(field(hand.t('margin.amount'), sheet), '2000')
  await hand.taps(named('button', hand.t('accounts.move.now'), sheet))
  await hand.taps(named('button', hand.t('certify.certify')))
  await hand.sees(text(hand.t('certify.done')))
  await hand.taps(named('button', hand.t('perp.buyLong'), ticket))
  await hand.taps(named('button', hand.t('trade.confirm'), dialog))
  const card: What = { role: 'article', inside: { role: 'panel' }, nth: 0 }
  await hand.sees(text(hand.t('perp.long'), card))
  await hand.gone(dialog)
  await hand.pictured('contract')
  await hand.taps(named('button', hand.t('perp.close'), card))
  await hand.taps({ role: 'button', name: hand.t('positions.closeNow', { quantity: '|' }).split('|')[0]!, by: 'start', inside: dialog })
  await hand.sees(text(hand.t('positions.noPositions')))
}

/** On the page of transfers, from the spot account to that of Second. */
export async function transfers(hand: Hand): Promise<void> {
  await hand.go('/transfer?to=option')
  await hand.fills(field(hand.t('margin.amount')), '50')
  await hand.taps(named('button', hand.t('accounts.move.now')))
  await hand.sees(text(hand.t('accounts.move.done', { amount: `${hand.format.usdt('50')} USDT` })))
  await hand.pictured('transfer')
}

const answers = { q1: 0, q2: 1, q3: 2, q4: 0, q5: 1 }

/** The questions, an order of half a minute, its settlement, and the check on the phone. */
export async function settlesSecond(hand: Hand): Promise<void> {
  await hand.go('/Second?symbol=BTCUSDT')
  await hand.taps(named('button', hand.t('option.gate.admit')))
  await hand.taps({ role: 'checkbox', inside: dialog })
  await hand.taps(named('button', hand.t('admission.admit.toQuestions'), dialog))
  for (const [id, answer] of Object.entries(answers)) {
    await hand.taps(named('radio', hand.t(`admission.knowledge.${id}a${answer}`), dialog))
  }
  await hand.taps(named('button', hand.t('admission.admit.submit'), dialog))
  await hand.taps(named('button', hand.t('admission.admit.start'), dialog))
  const ticket = named('region', hand.t('option.ticket'))
  await hand.taps({ role: 'radio', inside: ticket, nth: 0 })
  await hand.taps({ role: 'button', name: hand.t('option.side.up'), by: 'start', inside: ticket })
  await hand.taps(named('button', hand.t('settled.place'), dialog))
  await hand.sees(text(hand.t('settled.accepted')))
  await hand.pictured('second')
  await hand.taps(named('button', hand.t('common.done'), dialog))

  await hand.go('/optionentrust?tab=history')
  await hand.taps({ role: 'button', inside: { role: 'item', inside: { role: 'panel' } }, nth: 0 })
  await hand.taps(named('button', hand.t('settled.verify'), dialog))
  await hand.sees(text(hand.t('settled.verdict.equal'), dialog))
  await hand.pictured('proof')
  await hand.presses('Escape')
}

/** The theme, then another language and back. */
export async function switches(hand: Hand): Promise<void> {
  await hand.go('/setting')
  const brightness = (): number => Number(/\d+/.exec(getComputedStyle(document.documentElement).backgroundColor)?.[0])
  for (const [theme, isBright] of [
    ['setting.themeDark', false],
    ['setting.themeLight', true],
  ] as const) {
    await hand.taps(named('radio', hand.t(theme)))
    await hand.until(hand.t(theme), async () => (await hand.driver.run(brightness)) > 128 === isBright)
    await hand.pictured(isBright ? 'light' : 'dark')
  }
  const other = hand.lang === 'de' ? 'en' : 'de'
  await hand.go('/lang')
  await hand.taps(text(other === 'de' ? 'Deutsch' : 'English'))
  await hand.sees(named('heading', textOf(other, 'shell.language')))
  await hand.driver.run((lang) => localStorage.setItem('lang', lang), hand.lang)
}

export const journeys = { registers, tradesSpot, tradesFutures, transfers, settlesSecond, switches }
