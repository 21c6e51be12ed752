import type { WireMarginTerms, WirePool } from '@candor/core/protocol/wire/margin.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBalances } from '../../app/account.ts'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { CertifyGate, useIsCertified } from '../../parts/account/certify-gate.tsx'
import { AmountField, plain, unitsOf } from '../../parts/margin/amount-field.tsx'
import { margin } from '../../parts/margin/api.ts'
import { useNow } from '../../parts/live/clock.ts'
import { poolKey } from '../../parts/margin/data.ts'
import { Funded, useIsEmpty } from '../../parts/transfer/funded.tsx'
import { Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { Sparkline } from '../../parts/ui/sparkline.tsx'
import { FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { RateCurve } from './curve.tsx'
import { nextHour, perDay } from './points.ts'

/** A pool's size, rates and rate curve, and a form to lend to it. */
export function PoolSheet({
  pool,
  terms,
  scale,
  onClose,
}: {
  readonly pool: WirePool
  readonly terms: WireMarginTerms | undefined
  readonly scale: number
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { asset } = pool
  const isVisitor = useMe() === undefined
  const isCertified = useIsCertified()
  const [amount, setAmount] = useState('')
  const [isGated, setIsGated] = useState(false)
  const spot = useBalances().data?.accounts.find((account) => account.kind === 'spot')?.balances
  const most = spot && (spot.find((balance) => balance.asset === asset)?.available ?? '0')
  const units = unitsOf(amount, scale)
  const isTooMuch = units !== undefined && most !== undefined && units > (parseUnits(most, scale) ?? 0)
  const text = `${format.sum(amount === '' ? '0' : plain(amount), asset, true)} ${asset}`
  const isEmpty = useIsEmpty({ to: 'spot', asset, symbol: '' })
  const supply = useSendOnce({
    request: (clientId, asked: { readonly asset: string; readonly amount: string }) => ({ clientId, ...asked }),
    call: margin.supply,
    alsoOld: poolKey,
    onAnswer() {
      toast({ text: t('lend.suppliedDone', { amount: text }), tone: 'good' })
      onClose()
    },
  })
  const send = (): void => supply.send({ asset, amount: plain(amount) })
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={`${asset} · ${t('margin.lending')}`}
      footer={
        isVisitor ? (
          <ButtonLink to="/login?next=/lend" isWide>
            {t('trade.login')}
          </ButtonLink>
        ) : (
          <Funded wanted={{ to: 'spot', asset, symbol: '' }} isEmpty={isEmpty}>
            <Button
              isWide
              disabled={units === undefined || isTooMuch}
              isBusy={supply.isSending}
              onClick={() => (isCertified ? send() : setIsGated(true))}
            >
              {units === undefined ? t('lend.supply') : t('lend.supplyNow', { amount: text })}
            </Button>
          </Funded>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {!isVisitor && (
          <AmountField
            asset={asset}
            scale={scale}
            value={amount}
            most={most}
            mostLabel={t('lend.inSpot')}
            error={isTooMuch && !isEmpty ? t('refusals.INSUFFICIENT_BALANCE') : undefined}
            onChange={setAmount}
          />
        )}
        <Facts pool={pool} amount={isVisitor || units === undefined ? undefined : Number(amount)} hasOwn={!isVisitor} scale={scale} />
        {terms !== undefined && <RateCurve terms={terms} used={Number(pool.utilization)} rate={Number(pool.hourlyRate)} />}
        <LastWeek asset={asset} />
        <Hints terms={terms} />
        <FormError error={supply.error} />
      </div>
      <CertifyGate isOpen={isGated} onClose={() => setIsGated(false)} onCertified={send} />
    </Sheet>
  )
}

/** The pool's size and rates. `amount`: the sum to lend. `hasOwn`: whether the user is logged in. */
function Facts({
  pool,
  amount,
  hasOwn,
  scale,
}: {
  readonly pool: WirePool
  readonly amount: number | undefined
  readonly hasOwn: boolean
  readonly scale: number
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { asset } = pool
  return (
    <dl>
      <SummaryRow label={t('lend.earnRate')}>{format.percent(pool.earnRate)}</SummaryRow>
      {hasOwn && (
        <SummaryRow label={t('lend.aDay')}>
          {amount === undefined ? '–' : `${format.sum(perDay(amount, Number(pool.earnRate)).toFixed(scale), asset, true)} ${asset}`}
        </SummaryRow>
      )}
      <SummaryRow label={t('lend.borrowRate')}>{format.percent(pool.hourlyRate, 4)}</SummaryRow>
      <SummaryRow label={t('lend.supplied')}>{`${format.sum(pool.supplied, asset)} ${asset}`}</SummaryRow>
      <SummaryRow label={t('lend.out')}>
        {`${format.sum(pool.borrowed, asset)} ${asset} · ${format.percent(pool.utilization, 1)}`}
      </SummaryRow>
      {Number(pool.queued) > 0 && <SummaryRow label={t('lend.waitingAll')}>{`${format.sum(pool.queued, asset)} ${asset}`}</SummaryRow>}
    </dl>
  )
}

/** Hints: when lent coins start to earn, and which part of the interest stays with the exchange. */
function Hints({ terms }: { readonly terms: WireMarginTerms | undefined }) {
  const { t } = useTranslation()
  const format = useFormats()
  const now = useNow(1_000)
  return (
    <>
      <p className="text-12 text-fg2">{t('lend.earnsFrom', { time: format.time(nextHour(now)) })}</p>
      {terms !== undefined && (
        <p className="text-12 text-fg2">{t('lend.supplyHint', { share: format.percent((1 - Number(terms.reserve)) * 100, 0) })}</p>
      )}
    </>
  )
}

/** The rate of the last week by hour; nothing until there are two hours. */
function LastWeek({ asset }: { readonly asset: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const points = useQuery({ queryKey: ['margin', 'rates', asset], queryFn: () => margin.rates({ asset }), staleTime: 60_000 }).data ?? []
  if (points.length < 2) return null
  const rates = points.map((point) => Number(point.hourlyRate))
  const ends = [Math.min(...rates), Math.max(...rates)].map((rate) => format.percent(rate, 4))
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="flex justify-between gap-2 text-12 font-medium text-fg2">
        {t('lend.week')} <span className="tn text-fg">{ends[0] === ends[1] ? ends[0] : ends.join(' – ')}</span>
      </figcaption>
      <Sparkline values={points.map((point) => point.hourlyRate)} width={320} height={48} filled className="w-full" />
    </figure>
  )
}
