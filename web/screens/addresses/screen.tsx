import type { WireWithdrawalAddress, WireWithdrawalList } from '@candor/core/protocol/wire/addresses.ts'
import { Plus, WalletCards } from 'lucide-react'
import { useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { addressesQuery, useAddresses } from '../../parts/addresses/data.ts'
import { GroupedAddress } from '../../parts/addresses/grouped.tsx'
import { AddingClosed, canAdd } from '../../parts/addresses/locked.tsx'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { AddressSheet } from './address-sheet.tsx'

/** The user's withdrawal addresses by network. */
export function Screen() {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const list = useAddresses()
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: addressesQuery })}>
      <PageHeader title={t('addresses.title')} fallback="/me" />
      <p className="px-4 pb-3 text-13 text-fg2">{t('addresses.lead')}</p>
      {isVisitor && <LoginFirst text={t('addresses.loginFirst')} next="/addresslist" />}
      {!isVisitor && list.data === undefined && (list.error === null ? <RowsSkeleton rows={3} /> : <Failure error={list.error} />)}
      {list.data !== undefined && <List list={list.data} />}
    </Pull>
  )
}

function List({ list }: { readonly list: WireWithdrawalList }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<string>()
  const { addresses, networks, max } = list
  const address = addresses.find(({ id }) => id === opened)
  const labelOf = (name: string): string => networks.find((one) => one.name === name)?.label ?? name
  return (
    <div className="flex flex-col gap-3 px-4 pb-8">
      <AddingClosed list={list} />
      {addresses.length === 0 && <Empty text={t('addresses.empty')} icon={<WalletCards size={22} strokeWidth={1.75} />} />}
      {[...new Set([...networks.map(({ name }) => name), ...addresses.map(({ network }) => network)])].map((name) => {
        const own = addresses.filter(({ network }) => network === name)
        if (own.length === 0) return null
        return (
          <section key={name} className="flex flex-col gap-2">
            <h2 className="px-1 text-12 font-medium text-fg3">{labelOf(name)}</h2>
            {own.map((one) => (
              <AddressCard key={one.id} address={one} onOpen={() => setOpened(one.id)} />
            ))}
          </section>
        )
      })}
      {canAdd(list) && (
        <ButtonLink to="/addaddress" isWide>
          <Plus size={18} strokeWidth={2} aria-hidden />
          {t('addresses.add')}
        </ButtonLink>
      )}
      <p className="tn text-12 text-fg3">{t('addresses.count', { count: addresses.length, max })}</p>
      {address !== undefined && (
        <AddressSheet key={address.id} address={address} network={labelOf(address.network)} onClose={() => setOpened(undefined)} />
      )}
    </div>
  )
}

function AddressCard({ address: one, onOpen }: { readonly address: WireWithdrawalAddress; readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const isWaiting = one.usableAt > Date.now()
  return (
    <button type="button" onClick={onOpen} className="flex flex-col gap-2 rounded-card bg-s1 p-4 text-start active:bg-s2">
      <span className="flex w-full flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <span className="min-w-0 text-15 font-semibold break-words">{one.label}</span>
        <span
          className={`tn rounded-chip px-2 py-0.5 text-12 font-medium ${isWaiting ? 'bg-warntint text-fg' : 'bg-brandtint text-brand'}`}
        >
          {isWaiting ? t('addresses.waiting', { time: format.dateTime(one.usableAt) }) : t('addresses.ready')}
        </span>
      </span>
      <GroupedAddress address={one.address} className="text-13" />
      <span className="w-full text-12 break-words text-fg2">{one.owner === 'own' ? t('addresses.own') : one.exchange}</span>
    </button>
  )
}
