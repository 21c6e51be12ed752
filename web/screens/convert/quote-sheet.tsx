import type { WireConvertTerms, WireQuote } from '@candor/core/protocol/wire/convert.ts'
import { ArrowDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { type Key, useTranslation } from '../../app/translate.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { Outcome, Waiting } from './outcome.tsx'
import type { Phase } from './phase.ts'
import { Rate } from './rate.tsx'
import { Ring } from './ring.tsx'
import type { Quoting } from './use-quote.ts'

/** A tap that was meant for the button before it does not confirm a quote that nobody has read. */
const unreadMs = 500

const titles: Readonly<Record<Phase, Key>> = {
  ...{ open: 'convert.quoteTitle', expired: 'convert.quoteTitle', sending: 'convert.quoteTitle' },
  ...{ checking: 'convert.title', converting: 'convert.title', filled: 'convert.done' },
  ...{ moved: 'convert.notDone', 'no-index': 'convert.notDone', unaccepted: 'convert.notDone' },
}

/** A firm quote, then what became of it. `onAgain` empties the form. */
export function QuoteSheet({
  quoting,
  quote,
  terms,
  onClose,
  onAgain,
}: {
  readonly quoting: Quoting
  readonly quote: WireQuote
  readonly terms: WireConvertTerms
  readonly onClose: () => void
  readonly onAgain: () => void
}) {
  const { t } = useTranslation()
  const { phase, conversion } = quoting
  const isRead = useIsRead(quote.id)
  return (
    <Sheet
      isOpen
      onClose={phase === 'filled' ? onAgain : onClose}
      title={t(titles[phase])}
      footer={<Footer {...{ quoting, isRead, onClose, onAgain }} />}
    >
      {conversion !== undefined ? (
        <Outcome conversion={conversion} />
      ) : phase === 'checking' ? (
        <Waiting text={t('convert.checking')} hint={t('convert.checkingHint')} />
      ) : phase === 'unaccepted' ? (
        <p role="status" className="pt-1 pb-4 text-15">
          {t('convert.unaccepted')}
        </p>
      ) : (
        <Offer {...{ quoting, quote, terms }} />
      )}
    </Sheet>
  )
}

/** The quote itself, with everything that it costs. */
function Offer({ quoting, quote, terms }: { readonly quoting: Quoting; readonly quote: WireQuote; readonly terms: WireConvertTerms }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { phase, now } = quoting
  const { from, to, give, get, rate, inverse, spread, value, expiresAt } = quote
  const isExpired = phase === 'expired'
  return (
    <div className="flex flex-col gap-3">
      <div className={`flex flex-col gap-1 rounded-card bg-s2 p-4 ${isExpired ? 'text-fg3' : ''}`}>
        <Sum label={t('convert.youGive')} asset={from} amount={give} />
        <ArrowDown size={18} strokeWidth={1.75} aria-hidden className="ms-1.5 text-fg3" />
        <Sum label={t('convert.youGet')} asset={to} amount={get} isLarge />
      </div>
      <div className="flex min-h-11 items-center gap-3">
        <Ring expiresAt={expiresAt} validMs={terms.validMs} now={now} />
        <p role="status" className={`flex-1 text-13 ${isExpired ? 'font-medium text-warn' : 'text-fg2'}`}>
          {isExpired ? t('convert.expired') : t('convert.firm')}
        </p>
      </div>
      <dl>
        <SummaryRow label={t('convert.rate')}>
          <Rate {...{ from, to, rate, inverse }} />
        </SummaryRow>
        <SummaryRow label={t('convert.spread')}>
          {`${format.sum(spread, to, true)} ${to}`}
          <span className="text-fg2">{` · ${format.percent(terms.spreadPercent)}`}</span>
        </SummaryRow>
        <SummaryRow label={t('convert.fee')}>{`${format.sum('0', to)} ${to}`}</SummaryRow>
        <SummaryRow label={t('convert.value')}>{`${format.usdt(value)} USDT`}</SummaryRow>
      </dl>
      <FormError error={isExpired ? quoting.askError : quoting.acceptError} />
    </div>
  )
}

function Sum({
  label,
  asset,
  amount,
  isLarge = false,
}: {
  readonly label: string
  readonly asset: string
  readonly amount: string
  readonly isLarge?: boolean
}) {
  const format = useFormats()
  return (
    <p className="flex flex-wrap items-center gap-x-3">
      <Coin asset={asset} size={28} />
      <span className="text-13 text-fg2">{label}</span>
      <span className={`tn ms-auto text-end font-semibold [overflow-wrap:anywhere] ${isLarge ? 'text-22' : 'text-17'}`}>
        {`${format.sum(amount, asset, true)} ${asset}`}
      </span>
    </p>
  )
}

function Footer({
  quoting,
  isRead,
  onClose,
  onAgain,
}: {
  readonly quoting: Quoting
  readonly isRead: boolean
  readonly onClose: () => void
  readonly onAgain: () => void
}) {
  const { t } = useTranslation()
  switch (quoting.phase) {
    case 'open':
    case 'sending':
      return (
        <Button isWide disabled={!isRead} isBusy={quoting.phase === 'sending'} onClick={quoting.accept}>
          {t('convert.confirm')}
        </Button>
      )
    case 'expired':
    case 'unaccepted':
    case 'moved':
    case 'no-index':
      return (
        <Button isWide isBusy={quoting.isAsking} onClick={quoting.refresh}>
          {t('convert.refresh')}
        </Button>
      )
    case 'checking':
    case 'converting':
      return (
        <Button variant="soft" isWide onClick={onClose}>
          {t('common.close')}
        </Button>
      )
    case 'filled':
      return (
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/property" variant="soft" className="flex-auto">
            {t('convert.assets')}
          </ButtonLink>
          <Button className="flex-auto" onClick={onAgain}>
            {t('convert.again')}
          </Button>
        </div>
      )
  }
}

/** Whether a quote has been on the screen long enough to be read. */
function useIsRead(id: string): boolean {
  const [read, setRead] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setRead(id), unreadMs)
    return () => clearTimeout(timer)
  }, [id])
  return read === id
}
