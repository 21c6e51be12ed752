import type { Decimal } from '@candor/core/money/brand.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { AlgoEnd } from '@candor/core/protocol/event/algo.ts'
import type { CloseReason } from '@candor/core/protocol/event/index.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { NoticeChannel, NoticeKind, WireNotice } from '@candor/core/protocol/wire/notices.ts'
import { useMarkets } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import type { Formats } from '../../app/formats.ts'
import { type Translate, useTranslation } from '../../app/translate.ts'
import { reasonWord } from '../../parts/chains/words.ts'
import { movedWords } from '../../parts/notices/moved.ts'

/** Money that came has a plus. */
const signed = (amount: string): string => (/^[0-9]/.test(amount) ? `+${amount}` : amount)

/** The price or the change that reached an alert. */
function reachedOf(values: WireNotice['values'], format: Formats): string {
  const value = (values['value'] ?? '0') as Decimal
  return values['condition'] === 'rise' || values['condition'] === 'fall' ? format.change(value) : format.exact(value)
}

/** `text`: what happened, in words. `facts`: device and address, as they were. */
export type NoticeWords = { readonly title: string; readonly text: string; readonly facts: string }

/** The texts of a notice in the reader's language. */
export function useNoticeWords(): (notice: WireNotice) => NoticeWords {
  const { t } = useTranslation()
  return noticeWords(t, useFormats(), useMarkets())
}

export function noticeWords(t: Translate, format: Formats, markets: readonly WireMarket[]): (notice: WireNotice) => NoticeWords {
  return ({ kind, values }) => {
    const found = markets.find(({ symbol }) => symbol === values['symbol'])
    const whole = kind.startsWith('margin') ? t('notices.crossAccount') : t('notices.crossPositions')
    const market = found === undefined ? (values['symbol'] ?? whole) : `${found.base}/${found.quote}`
    const amount = (name: string): string => format.exact((values[name] ?? '0') as Decimal)
    const shown = {
      ...{ market, label: values['label'] ?? '', ticket: values['ticket'] ?? '', url: values['url'] ?? '', asset: values['asset'] ?? '' },
      ...{ network: values['network'] ?? '', destination: values['destination'] ?? '', txid: values['txid'] ?? '' },
      ...{ received: amount('received'), repaid: amount('repaid'), debt: amount('debt'), min: amount('min'), missing: amount('missing') },
      ...{ reached: reachedOf(values, format), note: values['note'] ?? '' },
      ...{ firm: values['firm'] ?? '', number: values['number'] ?? '', times: format.number(Number(values['count'] ?? 1), 0, 0) },
      sum: isMove(kind) ? `${format.sum((values['amount'] ?? '0') as Decimal, values['asset'] ?? '', true)} ${values['asset'] ?? ''}` : '',
      reason: reasonWord(values['reason'] ?? '', t),
      why: whyOf(kind, values, t),
      ...{
        quantity: amount('quantity'),
        whole: amount('whole'),
        stake: amount('stake'),
        payout: amount('payout'),
        amount: signed(amount('amount')),
      },
    }
    const isSale = values['side'] === 'sell'
    const sold = kind === 'algo-ended' ? t('notices.soldInParts', shown) : kind === 'order-filled' ? t('notices.sold', shown) : undefined
    const isCut = kind === 'order-filled' && values['rest'] !== undefined
    const part = isSale ? t('notices.soldPart', shown) : t('notices.boughtPart', shown)
    const all = isSale && sold !== undefined ? sold : t(`notices.kind.${kind}.text`, shown)
    const moved = isMove(kind) ? moveText(values, market, shown.sum, t) : undefined
    const facts = [values['device'], values['ip']].filter((fact) => fact !== undefined && fact !== '')
    return {
      title: isCut ? t('notices.partTitle') : t(`notices.kind.${kind}.title`),
      text: moved ?? (isCut && values['whole'] !== undefined ? part : all.trimEnd()),
      facts: facts.join(' · '),
    }
  }
}

function isMove(kind: NoticeKind): boolean {
  return kind === 'coins-moved' || kind === 'loan-taken' || kind === 'loan-repaid'
}

/** A transfer or a loan with its accounts. Undefined for several that share a notice, whose accounts may differ. */
function moveText(values: WireNotice['values'], pair: string, amount: string, t: Translate): string | undefined {
  const { cause = 'transfer', count = '1' } = values
  if (count !== '1' && cause !== 'sent' && cause !== 'received') return undefined
  const nameOf = (account: string | undefined): string => {
    if (account === undefined) return ''
    return account === 'margin-isolated' ? t('accounts.isolatedOf', { pair }) : t(`accounts.name.${account as AccountKind}`)
  }
  const { text, detail } = movedWords({ cause, amount, from: nameOf(values['from']), to: nameOf(values['to']) }, t)
  return detail === undefined ? text : `${text} · ${detail}`
}

/** Why an order ended. The orders of a scaled one told it themselves. */
function whyOf(kind: NoticeKind, { rest, end, order }: WireNotice['values'], t: Translate): string {
  if (kind === 'order-ended') return t(`orders.reason.${(rest ?? 'cancelled') as CloseReason}`)
  if (kind !== 'algo-ended' || end === undefined || (order === 'scaled' && end === 'done')) return ''
  return t(`algo.end.${end as AlgoEnd}`)
}

export function useChannels(): Readonly<Record<NoticeChannel, string>> {
  const { t } = useTranslation()
  return { inbox: t('notices.inbox'), mail: t('notices.mail'), sms: t('notices.sms'), push: t('notices.push') }
}
