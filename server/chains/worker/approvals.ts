/** What was approved, with the signatures that the signer wants to see: the engine's and the customer's. */
import type pg from 'pg'
import type { Approved, Proofs } from '../payout/rows.ts'
import type { Payment } from '../signer/statement.ts'

type WarrantRow = {
  readonly payment: Omit<Payment, 'value'> & { readonly value: string }
  readonly engine: string
  readonly customer: Proofs['customer']
}

/** Approved withdrawals of a network that have no payout yet, and did not end without one. */
export async function approvedOf(pool: pg.Pool, network: string): Promise<readonly Approved[]> {
  const { rows } = await pool.query<WarrantRow>(
    `select w.payment, w.engine, c.customer from payout_warrants w join withdrawal_wishes c on c.withdrawal = w.withdrawal
     where w.network = $1 and not exists (select from payouts p where p.withdrawal = w.withdrawal)
       and not exists (select from payout_endings e where e.withdrawal = w.withdrawal and e.done_at is not null) order by w.withdrawal`,
    [network],
  )
  return rows.map(({ payment, engine, customer }) => ({
    payment: { ...payment, value: BigInt(payment.value) },
    proofs: { engine, customer },
  }))
}
