import type { Decimal } from '@candor/core/money/brand.ts'
import type { WirePresaleSubscriptions } from '@candor/core/protocol/wire/presale.ts'
import type { ReactNode } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Coin } from '../../parts/funds/coin.tsx'
import { StandingChip } from '../../parts/presale/chip.tsx'
import { LockedBar } from '../../parts/presale/locked-bar.tsx'
import { isNone, standingOf } from '../../parts/presale/standing.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Amount } from '../../parts/ui/figure.tsx'

/** A subscription with its sums, its tokens and the next release. */
export function SubscriptionCard({
  subscription,
  onReleases,
}: {
  readonly subscription: WirePresaleSubscriptions['subscriptions'][number]
  readonly onReleases: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { presale, title, symbol, payAsset, amount, subscribedAt, lastAt, endsAt, allocated, cost, refunded, next } = subscription
  const hasTokens = !isNone(allocated)
  const sum = (label: string, value: Decimal | null, asset: string) =>
    value !== null && (
      <Fact label={label}>
        <Amount value={value} asset={asset} className="whitespace-normal!" />
      </Fact>
    )
  return (
    <article className="flex flex-col gap-4 rounded-card bg-s1 p-4">
      <a href={`#/sellDetail?id=${presale}`} className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <Coin asset={symbol} size={36} />
        <span className="flex min-w-32 flex-1 flex-col">
          <h2 className="text-15 font-semibold text-pretty break-words">{title}</h2>
          <span className="text-12 text-fg3">{symbol}</span>
        </span>
        <StandingChip standing={standingOf(subscription)} />
      </a>
      {hasTokens && <LockedBar subscription={subscription} />}
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3">
        {sum(t('presale.ownSubscribed'), amount, payAsset)}
        {sum(t('presale.ownAllocated'), allocated, symbol)}
        {sum(t('presale.cost'), cost, payAsset)}
        {sum(t('presale.refunded'), refunded, payAsset)}
        <Fact label={t('presale.purchasedAt')}>{format.dateTime(subscribedAt)}</Fact>
        {lastAt !== subscribedAt && <Fact label={t('presale.lastAt')}>{format.dateTime(lastAt)}</Fact>}
        {allocated === null && <Fact label={t('presale.allocatedAt')}>{format.dateTime(endsAt)}</Fact>}
        {next !== null && (
          <Fact label={t('presale.nextRelease')}>
            {format.dateTime(next.at)}
            <br />
            <Amount value={next.amount} asset={symbol} className="whitespace-normal!" />
          </Fact>
        )}
      </dl>
      {hasTokens && (
        <Button variant="soft" size="medium" isWide onClick={onReleases}>
          {t('presale.releases')}
        </Button>
      )}
    </article>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-fg3">{label}</dt>
      <dd className="tn text-13 font-medium break-words">{children}</dd>
    </div>
  )
}
