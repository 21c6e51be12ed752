import type { WireWithdrawalList } from '@candor/core/protocol/wire/addresses.ts'
import { ProofGate } from '../../parts/account/proof-gate.tsx'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { useAddresses } from '../../parts/addresses/data.ts'
import { AddingClosed, canAdd } from '../../parts/addresses/locked.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { AddressForm } from './address-form.tsx'

/** Adds a withdrawal address. */
export function Screen() {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const list = useAddresses()
  return (
    <>
      <PageHeader title={t('addresses.new')} fallback="/addresslist" />
      {isVisitor && <LoginFirst text={t('addresses.loginFirst')} next="/addaddress" />}
      {!isVisitor && list.data === undefined && (list.error === null ? <RowsSkeleton rows={4} /> : <Failure error={list.error} />)}
      {list.data !== undefined && <Adding list={list.data} />}
      <ProofGate />
    </>
  )
}

function Adding({ list }: { readonly list: WireWithdrawalList }) {
  return <div className="px-4 pt-1 pb-8">{canAdd(list) ? <AddressForm list={list} /> : <AddingClosed list={list} />}</div>
}
