import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Share2, ShieldCheck } from 'lucide-react'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { navigate } from '../../app/location.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { Amount } from '../ui/figure.tsx'
import { Sheet, SummaryRow } from '../ui/sheet.tsx'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Failure } from '../ui/state.tsx'
import { later, laterSheet } from '../ui/later.tsx'
import { useNow } from '../live/clock.ts'
import { againPath, oneOptionQuery } from './data.ts'
import { DirectionTag } from './direction.tsx'
import { heldMs, openingQuantity, phaseOf } from './order.ts'
import { Ring } from './ring.tsx'
import { SignedAmount } from './settled-row.tsx'
import { clockOf, durationOf, percentText, resultOf, sentenceOf, stamp, toneOf } from './words.ts'

const ShareOption = laterSheet(async () => {
  const [sheet] = await Promise.all([import('./share/sheet.tsx'), loadArea('share')])
  return sheet.ShareOption
})
const Verify = later(() => import('./verify.tsx').then((module) => module.Verify))

/** Details of an order: its terms, ticks and result, and the check of its settlement. */
export function OptionSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const [isVerifying, setIsVerifying] = useState(false)
  const [isSharing, setIsSharing] = useState(false)
  const query = useQuery({
    ...oneOptionQuery(id),
    refetchInterval: ({ state }) => (state.data?.status === 'settled' ? false : 1_000),
  })
  const order = query.data
  const market = useMarket(order?.symbol ?? '')
  const isSettled = order?.status === 'settled'
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={isVerifying ? t('settled.verifyTitle') : t('settled.order')}
      footer={
        order === undefined ? undefined : isVerifying ? (
          <Button variant="soft" isWide onClick={() => setIsVerifying(false)}>
            {t('common.back')}
          </Button>
        ) : (
          <div className="flex flex-col gap-2">
            <Button variant="soft" isWide disabled={!isSettled} onClick={() => setIsVerifying(true)}>
              <ShieldCheck size={18} strokeWidth={1.75} aria-hidden />
              {t('settled.verify')}
            </Button>
            {isSettled && (
              <div className="flex flex-wrap gap-2 [&>*]:grow">
                <Button variant="soft" onClick={() => setIsSharing(true)}>
                  <Share2 size={18} strokeWidth={1.75} aria-hidden />
                  {t('orders.shareResult')}
                </Button>
                <Button
                  variant="soft"
                  onClick={() => {
                    onClose()
                    navigate(againPath(order))
                  }}
                >
                  {t('settled.again')}
                </Button>
              </div>
            )}
            {!isSettled && <p className="text-center text-12 text-fg3">{t('settled.verifyWait')}</p>}
          </div>
        )
      }
    >
      {order === undefined ? (
        query.error === null ? (
          <RowsSkeleton rows={5} />
        ) : (
          <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
        )
      ) : isVerifying ? (
        <Suspense fallback={<RowsSkeleton rows={5} />}>
          <Verify order={order} />
        </Suspense>
      ) : (
        <>
          <Details order={order} />
          {isSharing && market !== undefined && (
            <Suspense fallback={null}>
              <ShareOption order={order} market={market} onClose={() => setIsSharing(false)} />
            </Suspense>
          )}
        </>
      )}
    </Sheet>
  )
}

function Details({ order }: { readonly order: WireOption }) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(order.symbol)
  const now = useNow(500, order.status !== 'settled')
  const phase = phaseOf(order, now)
  const [base, quote] = [market?.base ?? '', market?.quote ?? '']
  const digits = market?.priceDigits ?? 0
  const price = (value: string | undefined): string =>
    value === undefined || Number(value) === 0 ? '–' : `${format.number(value, digits, 8)} ${quote}`
  const quantity = market === undefined ? undefined : openingQuantity(order, market.quantityDigits)
  const held = heldMs(order)
  return (
    <>
      <Head order={order} phase={phase} />
      <dl>
        <SummaryRow label={t('orders.pair')}>{market === undefined ? order.symbol : `${base}/${quote}`}</SummaryRow>
        <SummaryRow label={t('settled.direction')}>
          <DirectionTag direction={order.direction} />
        </SummaryRow>
        <SummaryRow label={t('option.opening')}>{order.strike === undefined ? t('option.phase.placed') : price(order.strike)}</SummaryRow>
        <SummaryRow label={t('settled.openingQuantity')}>
          {quantity === undefined ? '–' : <Amount value={quantity} asset={base} />}
        </SummaryRow>
        <SummaryRow label={t('settled.openingAmount')}>
          <Amount value={order.stake} asset={quote} isFull />
        </SummaryRow>
        <SummaryRow label={t('settled.settlement')}>{price(order.settlePrice)}</SummaryRow>
        <SummaryRow label={t('settled.net')}>
          {order.settleProfit === undefined ? (
            '–'
          ) : (
            <span className={toneOf(order)}>
              <SignedAmount order={order} asset={quote} />
            </span>
          )}
        </SummaryRow>
        <SummaryRow label={t('settled.winLose')}>
          <span className={toneOf(order)}>{order.result === undefined ? t(`option.phase.${phase}`) : resultOf(order, t)}</span>
        </SummaryRow>
        <SummaryRow label={t('settled.completed')}>
          {order.settledAt === undefined ? (
            '–'
          ) : (
            <>
              {format.dateTime(order.settledAt)}
              <span className="block text-11 text-fg3">{format.utc(order.settledAt)}</span>
            </>
          )}
        </SummaryRow>
        <SummaryRow label={t('settled.held')}>{held === undefined ? '–' : clockOf(Math.round(held / 1_000))}</SummaryRow>
        <SummaryRow label={t('option.duration')}>{durationOf(order.seconds, t)}</SummaryRow>
        <SummaryRow label={t('option.rate')}>{percentText(order.profitPpm, format)}</SummaryRow>
        <SummaryRow label={t('settled.profitIfWon')}>
          +<Amount value={order.profit} asset={quote} isFull />
        </SummaryRow>
        <SummaryRow label={t('option.fee')}>
          <Amount value={order.fee} asset={quote} isFull isPrivate={false} />
        </SummaryRow>
        <SummaryRow label={t('settled.acceptedAt')}>{`${format.date(order.acceptedAt)} ${format.clock(order.acceptedAt)}`}</SummaryRow>
        <SummaryRow label={t('settled.referenceAt')}>{price(order.reference)}</SummaryRow>
        <SummaryRow label={t('option.guard')}>
          {order.guardPpm === 0 ? t('option.guardOff') : t('option.guardValue', { percent: percentText(order.guardPpm, format) })}
        </SummaryRow>
        {order.strikeTick !== undefined && order.strikeAt !== undefined && (
          <SummaryRow label={t('settled.openingTick')}>
            {t('settled.tick', { tick: order.strikeTick, at: stamp(order.strikeAt) })}
          </SummaryRow>
        )}
        <SummaryRow label={t('settled.window')}>
          {t('settled.windowOf', { seconds: format.number(order.windowMs / 1_000, 0, 3) })}
          <span className="block text-11 text-fg3">{`${stamp(order.expiresAt - order.windowMs)} – ${stamp(order.expiresAt)}`}</span>
        </SummaryRow>
        <SummaryRow label={t('settled.number')}>{order.id}</SummaryRow>
      </dl>
    </>
  )
}

/** The result or the time left, in one line. */
function Head({ order, phase }: { readonly order: WireOption; readonly phase: ReturnType<typeof phaseOf> }) {
  const { t } = useTranslation()
  if (order.result === undefined) {
    return (
      <div className="mb-2 flex items-center gap-3 rounded-card bg-s2 p-3">
        <Ring order={order} />
        <p className="text-15 font-medium">{t(`option.phase.${phase}`)}</p>
      </div>
    )
  }
  return <p className="mb-2 rounded-card bg-s2 p-3 text-13 text-fg2">{sentenceOf(order, t)}</p>
}
