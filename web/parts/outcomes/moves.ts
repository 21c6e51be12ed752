/** Announces transfers and loans that the person did not make on this page: by an order, on another device, by a program, by the firm. */
import type { UserUpdate, WirePlace } from '@candor/core/protocol/wire/stream.ts'
import { marketNow } from '../../app/config.ts'
import { decimalFormats } from '../../app/formats.ts'
import { navigate } from '../../app/location.ts'
import { isOwnDeed } from '../../app/send-once.ts'
import { onPersonChange } from '../../app/session.ts'
import { loadArea, useLang } from '../../app/texts.ts'
import { translate } from '../../app/translate.ts'
import { announce } from '../notices/banner.tsx'

type Moved = Extract<UserUpdate, { readonly e: 'moved' }>

let person = 0
onPersonChange(() => {
  person++
})

export async function tellMove(move: Moved): Promise<void> {
  const isAutomatic = move.cause === 'auto-borrow' || move.cause === 'auto-repay'
  if (!isAutomatic && isOwnDeed()) return
  const forPerson = person
  await Promise.all((['notices', 'accounts'] as const).map(loadArea)).catch(() => undefined)
  // Another person may have logged in while the texts were loading.
  if (forPerson !== person) return
  const path = pathOf(move)
  const action = { text: translate('notices.view'), run: () => navigate(path) }
  announce({
    ...wordsOf(move),
    action,
    group: 'moved',
    many: (count) => ({ text: translate('notices.movedCount', { count }), action }),
  })
}

function wordsOf({ cause, asset, amount: sum, from, to }: Moved): { readonly text: string; readonly detail?: string } {
  const amount = `${decimalFormats(useLang.getState().tag).sum(sum, asset, true)} ${asset}`
  const account = to === undefined ? '' : nameOf(to)
  switch (cause) {
    case 'transfer':
      return {
        text: translate('notices.moved.transfer', { amount }),
        detail: [from, to].map((place) => place && nameOf(place)).join(' → '),
      }
    case 'firm-move':
      return { text: to === undefined ? translate('notices.moved.sent', { amount }) : translate('notices.moved.received', { amount }) }
    case 'borrow':
      return { text: translate('notices.moved.borrow', { amount }), detail: account }
    case 'auto-borrow':
      return { text: translate('notices.moved.borrow', { amount }), detail: translate('notices.moved.forOrder', { account }) }
    case 'repay':
      return { text: translate('notices.moved.repay', { amount }), detail: account }
    case 'auto-repay':
      return { text: translate('notices.moved.repay', { amount }), detail: translate('notices.moved.byFill', { account }) }
  }
}

function nameOf({ account, symbol }: WirePlace): string {
  if (symbol === undefined) return translate(`accounts.name.${account}`)
  const market = marketNow(symbol)
  return translate('accounts.isolatedOf', { pair: market === undefined ? symbol : `${market.base}/${market.quote}` })
}

function pathOf({ cause, to }: Moved): string {
  if (cause === 'transfer' || cause === 'firm-move') return `/propertyRecord?type=${cause}`
  return `/lever?${to?.symbol === undefined ? '' : `symbol=${to.symbol}&`}tab=loans`
}
