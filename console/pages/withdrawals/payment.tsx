/** How far the payment of an approved withdrawal is, with its transactions. */
import { withdrawals as words } from '../../app/coin-texts.ts'
import type { AttemptShown, PayoutShown, PayoutState, WithdrawalDetail } from '@candor/core/protocol/wire/console/withdrawals.ts'
import type { ReactNode } from 'react'
import { countOf, timeOf } from '../../app/format.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Transaction } from '../../parts/transaction.tsx'
import { Card } from '../../parts/ui.tsx'

const reached: Readonly<Record<PayoutState, number>> = { queued: 1, signing: 1, sent: 3, settled: 4, done: 5 }

export function Payment({
  of: { payoutOf: _, state },
  payout,
}: {
  readonly of: WithdrawalDetail
  readonly payout: PayoutShown
}): ReactNode {
  const { trouble, block, attempts } = payout
  const at = state === 'paid' ? words.steps.length : reached[payout.state]
  return (
    <Card title={words.payment} action={<SaveTable name="transactions" rows={attempts} cells={cellsOf} />}>
      <div className="card-body stack">
        <ol className="steps">
          {words.steps.map((step, place) => (
            <li key={step} data-done={place < at ? '' : undefined}>
              {step}
            </li>
          ))}
        </ol>
        <p className="fg2">
          {state === 'failed' ? words.failedText : words.payoutTexts[state === 'paid' ? 'done' : payout.state]}
          {block !== null && ` (${words.block(countOf(block))})`}
        </p>
        {trouble !== null && <Trouble reason={trouble} />}
      </div>
      {attempts.length > 0 && <DataTable label={words.attempts} columns={columns} rows={attempts} keyOf={({ n }) => String(n)} />}
    </Card>
  )
}

function Trouble({ reason }: { readonly reason: string }): ReactNode {
  const { what, advice } = words.troubles[reason] ?? { what: words.troubleOther(reason), advice: words.troubleNone }
  return (
    <div className="trouble" role="status">
      <b>{what}</b>
      <p>{advice}</p>
      <small className="tn">{reason}</small>
    </div>
  )
}

const timeText = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())
const cellsOf = ({ n, txid, fate, signedAt, sentAt }: AttemptShown): Readonly<Record<string, string>> => ({
  ...{ n: String(n), txid: txid ?? '', fate, signedAt: timeText(signedAt), sentAt: timeText(sentAt) },
})

const columns: readonly Column<AttemptShown>[] = [
  { id: 'n', header: words.attempt, by: ({ n }) => n, cell: ({ n }) => <span className="tn">{n}</span> },
  {
    id: 'txid',
    header: words.transaction,
    cell: ({ txid, url }) => (txid === null ? <span className="fg3">{words.notSigned}</span> : <Transaction id={txid} url={url} isWhole />),
  },
  {
    id: 'sent',
    header: words.sentAt,
    by: ({ sentAt }) => sentAt ?? 0,
    cell: ({ sentAt }) => <span className="tn unbroken">{sentAt === null ? '' : timeOf(sentAt)}</span>,
  },
  { id: 'fate', header: words.fate, isEnd: true, by: ({ fate }) => fate, cell: ({ fate }) => words.fates[fate] },
]
