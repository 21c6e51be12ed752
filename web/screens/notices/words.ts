import type { Decimal } from '@candor/core/money/brand.ts'
import type { AlgoEnd } from '@candor/core/protocol/event/algo.ts'
import type { CloseReason } from '@candor/core/protocol/event/index.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { NoticeChannel, NoticeKind, WireNotice } from '@candor/core/protocol/wire/notices.ts'
import { useMarkets } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import type { Formats } from '../../app/formats.ts'
import { type Translate, useTranslation } from '../../app/translate.ts'
import { reasonWord } from '../../parts/chains/words.ts'

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
      ...{ firm: values['firm'] ?? '', number: values['number'] ?? '' },
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
    const facts = [values['device'], values['ip']].filter((fact) => fact !== undefined && fact !== '')
    return {
      title: isCut ? t('notices.partTitle') : t(`notices.kind.${kind}.title`),
      text: isCut && values['whole'] !== undefined ? part : all.trimEnd(),
      facts: facts.join(' · '),
    }
  }
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
