import type { WireChains } from '@candor/core/protocol/wire/chains.ts'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { chainsQuery, useChains, useRecentDeposits } from '../../parts/chains/data.ts'
import { Debts } from '../../parts/chains/debts.tsx'
import { DepositList } from '../../parts/chains/deposits.tsx'
import { NetworkChoice } from '../../parts/chains/network-choice.tsx'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { AddressCard } from './address-card.tsx'
import { chosen, depositable } from './choice.ts'

/** The user's deposit addresses, and deposits on their way. `?asset` and `?network` choose at first. */
export function Screen() {
  const { t } = useTranslation()
  const me = useMe()
  const known = useChains()
  const refresh = () => Promise.all([chainsQuery, ['own']].map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })))
  return (
    <Pull onRefresh={refresh}>
      <PageHeader title={t('chains.deposit')} fallback="/property" />
      {me === undefined ? (
        <LoginFirst text={t('chains.loginDeposit')} next="/recharge" />
      ) : known.data === undefined ? (
        known.error === null ? (
          <RowsSkeleton rows={6} />
        ) : (
          <Failure error={known.error} onRetry={() => void known.refetch()} />
        )
      ) : (
        <Deposits chains={known.data} uid={me.uid} />
      )}
    </Pull>
  )
}

function Deposits({ chains, uid }: { readonly chains: WireChains; readonly uid: string }) {
  const { t } = useTranslation()
  const { query } = usePlace()
  const [wanted, setWanted] = useState({ asset: query.get('asset') ?? undefined, network: query.get('network') ?? undefined })
  const list = depositable(chains)
  const choice = chosen(list, wanted)
  const recent = useRecentDeposits()
  if (choice === undefined || chains.walletKey === null) return <Empty text={t('chains.closed')} />
  const { asset, network } = choice
  return (
    <div className="wide-columns flex flex-col gap-4 pb-8">
      <div className="flex flex-col gap-4 px-4 pt-1">
        {recent.data !== undefined && <Debts debts={recent.data.debts} />}
        <NetworkChoice coins={list} asset={asset} network={network} onChange={setWanted} hint={t('chains.networkHint')} />
        <AddressCard key={network.name} asset={asset} network={network} chains={chains} walletKey={chains.walletKey} uid={uid} />
      </div>
      <section className="flex flex-col pt-2">
        <h2 className="px-4 pb-1 text-15 font-semibold">{t('chains.recentDeposits')}</h2>
        {recent.data === undefined ? (
          recent.error === null ? (
            <RowsSkeleton rows={2} />
          ) : (
            <Failure error={recent.error} onRetry={() => void recent.refetch()} isSmall />
          )
        ) : recent.data.items.length === 0 ? (
          <p className="px-4 py-3 text-13 text-fg2">{t('chains.noDeposits')}</p>
        ) : (
          <>
            <DepositList items={recent.data.items} chains={chains} />
            <ButtonLink to="/propertyRecord?type=deposit" variant="ghost" size="small">
              {t('chains.records')}
            </ButtonLink>
          </>
        )}
      </section>
    </div>
  )
}
