import { scaleOf } from '@candor/core/money/scale.ts'
import type { WireClaim, WirePool } from '@candor/core/protocol/wire/margin.ts'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { useSendOnce } from '../../app/use-send-once.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { Coin } from '../../parts/funds/coin.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { margin } from '../../parts/margin/api.ts'
import { poolKey, useClaims, useMarginTerms, usePools } from '../../parts/margin/data.ts'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, FormError } from '../../parts/ui/state.tsx'
import { toast } from '../../parts/ui/toast.tsx'
import { PoolSheet } from './pool-sheet.tsx'
import { WithdrawSheet } from './withdraw-sheet.tsx'

/** Lending: the user's supplies, and the pools from which margin accounts borrow. */
export function Screen() {
  const { t } = useTranslation()
  const pools = usePools()
  const terms = useMarginTerms().data
  const claims = useClaims()
  const assets = useConfig().data?.assets
  const isVisitor = useMe() === undefined
  const [opened, setOpened] = useState<string>()
  const [leaving, setLeaving] = useState<string>()
  const own = (claims.data ?? []).filter((claim) => Number(claim.claim) > 0 || Number(claim.earned) > 0)
  const pool = pools.data?.find((one) => one.asset === opened)
  const claim = own.find((one) => one.asset === leaving)
  const refresh = (): Promise<unknown> =>
    Promise.all([queries.invalidateQueries({ queryKey: ['margin'] }), queries.invalidateQueries({ queryKey: ['own'] })])
  return (
    <Pull onRefresh={refresh}>
      <PageHeader title={t('margin.lending')} fallback="/property" />
      <p className="px-4 text-13 text-fg2">{t('lend.lead')}</p>
      {!isVisitor && claims.error !== null && claims.data === undefined && <Failure error={claims.error} isSmall />}
      {own.length > 0 && (
        <section className="flex flex-col gap-2 px-4 pt-5">
          <h2 className="text-17 font-semibold">{t('lend.mine')}</h2>
          {own.map((one) => (
            <ClaimCard
              key={one.asset}
              claim={one}
              pool={pools.data?.find(({ asset }) => asset === one.asset)}
              onWithdraw={() => setLeaving(one.asset)}
            />
          ))}
        </section>
      )}
      <section className="pt-5 pb-8">
        <h2 className="px-4 pb-1 text-17 font-semibold">{t('lend.pools')}</h2>
        {pools.data === undefined ? (
          pools.error === null ? (
            <RowsSkeleton rows={6} />
          ) : (
            <Failure error={pools.error} onRetry={() => void pools.refetch()} />
          )
        ) : pools.data.length === 0 ? (
          <Empty text={t('lend.noPools')} />
        ) : (
          <ul>
            {pools.data.map((one) => (
              <li key={one.asset}>
                <PoolRow pool={one} onOpen={() => setOpened(one.asset)} />
              </li>
            ))}
          </ul>
        )}
        <div className="px-4 pt-4">
          <ButtonLink to="/lever" variant="soft" size="medium" isWide>
            {t('lend.toMargin')}
          </ButtonLink>
        </div>
      </section>
      {assets !== undefined && pool !== undefined && (
        <PoolSheet pool={pool} terms={terms} scale={scaleOf(assets, pool.asset)} onClose={() => setOpened(undefined)} />
      )}
      {assets !== undefined && claim !== undefined && (
        <WithdrawSheet claim={claim} scale={scaleOf(assets, claim.asset)} onClose={() => setLeaving(undefined)} />
      )}
    </Pull>
  )
}

function PoolRow({ pool, onOpen }: { readonly pool: WirePool; readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="flex min-h-16 w-full items-center gap-3 px-4 text-start active:bg-s2"
    >
      <Coin asset={pool.asset} size={32} />
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="text-15 font-semibold">{pool.asset}</span>
        <span className="flex items-center gap-2 text-11 text-fg3">
          <span aria-hidden className="h-1 w-16 overflow-hidden rounded-full bg-s3">
            <span className="block h-full rounded-full bg-brand" style={{ width: `${Number(pool.utilization)}%` }} />
          </span>
          <span className="truncate">
            {t('lend.utilization')} <span className="tn">{format.percent(pool.utilization, 1)}</span>
          </span>
        </span>
      </span>
      <span className="flex flex-col items-end">
        <span className={`tn text-15 font-semibold ${Number(pool.earnRate) > 0 ? 'text-up' : 'text-fg2'}`}>
          {format.percent(pool.earnRate)}
        </span>
        <span className="text-11 text-fg3">{t('lend.earnRate')}</span>
      </span>
    </button>
  )
}

/** The user's supply to a pool, its earnings, and its queued redemptions. */
function ClaimCard({
  claim,
  pool,
  onWithdraw,
}: {
  readonly claim: WireClaim
  readonly pool: WirePool | undefined
  readonly onWithdraw: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { asset } = claim
  const stop = useSendOnce({
    request: (clientId, asset: string) => ({ asset, clientId }),
    call: margin.cancelWithdraw,
    alsoOld: poolKey,
    onAnswer: () => toast({ text: t('lend.cancelled'), tone: 'good' }),
  })
  const isWaiting = Number(claim.queued) > 0
  return (
    <article aria-label={asset} className="flex flex-col gap-3 rounded-card bg-s1 p-4">
      <div className="flex flex-wrap items-center gap-x-3">
        <Coin asset={asset} size={32} />
        <h3 className="flex-1 text-15 font-semibold">{asset}</h3>
        <span className="ms-auto flex flex-col items-end">
          <Amount value={claim.claim} asset={asset} isBare className="text-15 font-semibold" />
          {pool !== undefined && (
            <span className="text-11 text-fg3">
              {t('lend.earnRate')} <span className="tn text-up">{format.percent(pool.earnRate)}</span>
            </span>
          )}
        </span>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-13 text-fg2">
          {t('lend.earned')} <Amount value={claim.earned} asset={asset} isFull className="font-medium text-fg" />
        </p>
        <Button
          variant="soft"
          size="small"
          aria-haspopup="dialog"
          disabled={Number(claim.claim) <= Number(claim.queued)}
          onClick={onWithdraw}
        >
          {t('lend.withdraw')}
        </Button>
      </div>
      {claim.freshUntil !== null && (
        <p role="status" className="text-12 text-fg2">
          {t('lend.freshMine', { amount: `${format.sum(claim.fresh, asset, true)} ${asset}`, time: format.time(claim.freshUntil) })}
        </p>
      )}
      {isWaiting && (
        <div className="flex flex-col gap-2 rounded-control bg-s2 p-3">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-13 font-medium">{t('lend.waitingMine', { amount: `${format.sum(claim.queued, asset, true)} ${asset}` })}</p>
            <Button variant="soft" size="small" className="bg-s3" isBusy={stop.isSending} onClick={() => stop.send(asset)}>
              {t('lend.cancel')}
            </Button>
          </div>
          <p className="text-12 text-fg2">{t('lend.queueHint')}</p>
          <FormError error={stop.error} />
        </div>
      )}
    </article>
  )
}
