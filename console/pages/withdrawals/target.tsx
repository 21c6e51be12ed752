/** Where a withdrawal goes and whose it is, in a question about it. */
import type { WithdrawalDetail } from '@candor/core/protocol/wire/console/withdrawals.ts'
import type { ReactNode } from 'react'
import { Address } from '../../parts/address.tsx'

export function Target({ of }: { readonly of: WithdrawalDetail }): ReactNode {
  return (
    <>
      <p className="fg2">
        {of.network} · {of.customer.uid}
      </p>
      {of.destination !== null && (
        <p className="address-large">
          <Address of={of.destination.address} />
        </p>
      )}
    </>
  )
}
