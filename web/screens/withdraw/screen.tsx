import type { WireChains } from '@candor/core/protocol/wire/chains.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { queries } from '../../app/client.ts'
import { acting } from '../../app/firm/acting.ts'
import { useConfig } from '../../app/config.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { ProofGate } from '../../parts/account/proof-gate.tsx'
import { chains as api, chainsQuery, useChains, useRecentWithdrawals } from '../../parts/chains/data.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { later } from '../../parts/ui/later.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { withdrawable } from './form.ts'
import { WithdrawForm } from './withdraw-form.tsx'

// Below the form, or after it.
const WithdrawalList = later(async () => (await import('../../parts/chains/withdrawals.tsx')).WithdrawalList)
const WithdrawalDetails = later(async () => (await import('../../parts/chains/withdrawals.tsx')).WithdrawalDetails)

/** Withdrawals to the addresses of the user's list. `?asset` and `?network` choose at first. */
export function Screen() {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const known = useChains()
  const config = useConfig()
  const error = known.error ?? config.error
  const refresh = () => Promise.all([chainsQuery, ['own']].map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })))
  return (
    <Pull onRefresh={refresh}>
      <PageHeader title={t('chains.withdraw')} fallback="/property" />
      {isVisitor ? (
        <LoginFirst text={t('chains.loginWithdraw')} next="/withdrawel" />
      ) : acting?.kind === 'sub' ? (
        <Empty text={t('firm.mainOnly')} />
      ) : known.data === undefined || config.data === undefined ? (
        error === null ? (
          <RowsSkeleton rows={6} />
        ) : (
          <Failure error={error} />
        )
      ) : withdrawable(known.data).length === 0 ? (
        <Empty text={t('chains.closed')} />
      ) : (
        <Withdrawing chains={known.data} assets={config.data.assets} />
      )}
      <ProofGate />
    </Pull>
  )
}

function Withdrawing({
  chains,
  assets,
}: {
  readonly chains: WireChains
  readonly assets: readonly { readonly symbol: string; readonly scale: number }[]
}) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<string>()
  const standing = useQuery({
    queryKey: ['own', 'withdrawals', 'standing'],
    queryFn: () => api.withdrawStanding(),
    refetchInterval: 30_000,
  })
  const recent = useRecentWithdrawals()
  return (
    <div className="wide-columns flex flex-col gap-4 pb-8">
      {asked === undefined ? (
        <WithdrawForm chains={chains} assets={assets} standing={standing.data} onAsked={setAsked} />
      ) : (
        <Asked id={asked} chains={chains} onAnother={() => setAsked(undefined)} />
      )}
      {asked === undefined && (
        <section className="flex flex-col pt-2">
          <h2 className="px-4 pb-1 text-15 font-semibold">{t('chains.recentWithdrawals')}</h2>
          {recent.data === undefined ? (
            recent.error === null ? (
              <RowsSkeleton rows={2} />
            ) : (
              <Failure error={recent.error} onRetry={() => void recent.refetch()} isSmall />
            )
          ) : recent.data.items.length === 0 ? (
            <p className="px-4 py-3 text-13 text-fg2">{t('chains.noWithdrawals')}</p>
          ) : (
            <>
              <Suspense fallback={<RowsSkeleton rows={2} />}>
                <WithdrawalList items={recent.data.items} chains={chains} />
              </Suspense>
              <ButtonLink to="/propertyRecord?type=withdrawal" variant="ghost" size="small">
                {t('chains.records')}
              </ButtonLink>
            </>
          )}
        </section>
      )}
    </div>
  )
}

/** The withdrawal that was just asked for, with its progress. */
function Asked({ id, chains, onAnother }: { readonly id: string; readonly chains: WireChains; readonly onAnother: () => void }) {
  const { t } = useTranslation()
  const recent = useRecentWithdrawals()
  const one = recent.data?.items.find((each) => each.id === id)
  return (
    <section className="flex flex-col gap-4 px-4 pt-1">
      <div role="status">
        <h2 className="text-17 font-semibold">
          {t(one === undefined || one.status === 'under-review' ? 'chains.asked' : 'chains.aWithdrawal')}
        </h2>
      </div>
      <div className="rounded-card bg-s1 p-4">
        <Suspense fallback={<RowsSkeleton rows={4} />}>
          {one === undefined ? <RowsSkeleton rows={4} /> : <WithdrawalDetails withdrawal={one} chains={chains} />}
        </Suspense>
      </div>
      <Button variant="soft" isWide onClick={onAnother}>
        {t('chains.another')}
      </Button>
    </section>
  )
}
