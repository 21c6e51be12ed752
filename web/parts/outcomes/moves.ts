/** Announces transfers and loans that the person did not make on this page: by an order, on another device, by a program, by the firm. */
import type { WireNotice } from '@candor/core/protocol/wire/notices.ts'
import type { UserUpdate, WirePlace } from '@candor/core/protocol/wire/stream.ts'
import { marketNow } from '../../app/config.ts'
import { decimalFormats } from '../../app/formats.ts'
import { navigate } from '../../app/location.ts'
import { isOwnDeed } from '../../app/send-once.ts'
import { onPersonChange } from '../../app/session.ts'
import { loadArea, useLang } from '../../app/texts.ts'
import { translate } from '../../app/translate.ts'
import { announce } from '../notices/banner.tsx'
import { movedWords } from '../notices/moved.ts'
import { viewed } from '../notices/viewed.ts'
import type { Place } from '../transfer/places.ts'

type Moved = Extract<UserUpdate, { readonly e: 'moved' }>

const minuteMs = 60_000

let person = 0
/** How many of one cause and coin this page made, in the last minute in which it made any. */
const own = new Map<string, { readonly minute: number; readonly count: number }>()
onPersonChange(() => {
  person++
  own.clear()
})

export async function tellMove(move: Moved): Promise<void> {
  const isAutomatic = move.cause === 'auto-borrow' || move.cause === 'auto-repay'
  if (!isAutomatic && isOwnDeed()) return readOwn(move)
  const forPerson = person
  await Promise.all((['notices', 'accounts'] as const).map(loadArea)).catch(() => undefined)
  // Another person may have logged in while the texts were loading.
  if (forPerson !== person) return
  const path = pathOf(move)
  const isIt = isEntryOf(move)
  const run = (): void => {
    navigate(path)
    void viewed(isIt)
  }
  const action = { text: translate('notices.view'), run }
  const amount = `${decimalFormats(useLang.getState().tag).sum(move.amount, move.asset, true)} ${move.asset}`
  announce({
    ...movedWords({ cause: causeOf(move), amount, from: nameOf(move.from), to: nameOf(move.to) }, translate),
    action,
    ...undoOf(move, amount),
    group: 'moved',
    many: (count) => ({ text: translate('notices.movedCount', { count }), action }),
  })
}

/** What the page made is answered where it was made: its entry of the list counts as read, unless others moved the same coin meanwhile. */
async function readOwn(move: Moved): Promise<void> {
  const key = `${causeOf(move)} ${move.asset}`
  const minute = Math.floor(move.E / minuteMs)
  const before = own.get(key)
  const count = before?.minute === minute ? before.count + 1 : 1
  own.set(key, { minute, count })
  const isIt = isEntryOf(move)
  await viewed((notice) => isIt(notice) && notice.values['count'] === String(count))
}

/** Those of one cause and coin in one minute share an entry. */
function isEntryOf(move: Moved): (notice: WireNotice) => boolean {
  const minute = Math.floor(move.E / minuteMs)
  const cause = causeOf(move)
  return ({ createdAt, values }) =>
    values['cause'] === cause && values['asset'] === move.asset && Math.floor(createdAt / minuteMs) === minute
}

function causeOf({ cause, to }: Moved): string {
  return cause !== 'firm-move' ? cause : to === undefined ? 'sent' : 'received'
}

/** The way back of a transfer. */
function undoOf({ cause, asset, amount, from, to, seq }: Moved, sum: string) {
  if (cause !== 'transfer' || !isMovable(from) || !isMovable(to)) return {}
  const symbol = from.symbol ?? to.symbol
  const sent = { asset, from: from.account, to: to.account, ...(symbol === undefined ? {} : { symbol }), amount }
  const done = translate('accounts.move.undone', { amount: sum })
  const run = (): void => void import('../transfer/take-back.ts').then(({ takeBack }) => takeBack(sent, done, translate, String(seq)))
  return { undo: { text: translate('accounts.move.undo'), run } }
}

function isMovable(place: WirePlace | undefined): place is WirePlace & { readonly account: Place } {
  return place !== undefined && place.account !== 'lend'
}

function nameOf(place: WirePlace | undefined): string {
  if (place === undefined) return ''
  if (place.symbol === undefined) return translate(`accounts.name.${place.account}`)
  const market = marketNow(place.symbol)
  return translate('accounts.isolatedOf', { pair: market === undefined ? place.symbol : `${market.base}/${market.quote}` })
}

function pathOf({ cause, to }: Moved): string {
  if (cause === 'transfer' || cause === 'firm-move') return `/propertyRecord?type=${cause}`
  return `/lever?${to?.symbol === undefined ? '' : `symbol=${to.symbol}&`}tab=loans`
}
