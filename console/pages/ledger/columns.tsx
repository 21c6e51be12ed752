/** Columns of the tables of the ledger. */
import { Link } from '@tanstack/react-router'
import { timeOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import type { Column } from '../../parts/data-table.tsx'
import { Amount } from '../../parts/figures.tsx'
import { Badge } from '../../parts/ui.tsx'
import type { AssetRow, BalanceRow, Posting, TrialRow } from '@candor/core/protocol/wire/console/ledger.ts'

const words = t.watch.ledger

export const assets: readonly Column<AssetRow>[] = [
  { id: 'asset', header: t.watch.asset, by: ({ asset }) => asset, cell: ({ asset }) => <b>{asset}</b> },
  {
    id: 'customers',
    header: words.customers,
    isEnd: true,
    by: ({ customers }) => Number(customers),
    cell: ({ customers }) => <Amount of={customers} />,
  },
  {
    id: 'exchange',
    header: words.exchange,
    isEnd: true,
    by: ({ exchange }) => Number(exchange),
    cell: ({ exchange }) => <Amount of={exchange} />,
  },
  {
    id: 'sum',
    header: words.sum,
    isEnd: true,
    cell: ({ sum }) => (sum === '0' ? <Badge tone="ok">0</Badge> : <Badge tone="danger">{sum}</Badge>),
  },
]

export const trial: readonly Column<TrialRow>[] = [
  { id: 'asset', header: t.watch.asset, by: ({ asset }) => asset, cell: ({ asset }) => <b>{asset}</b> },
  {
    id: 'kind',
    header: words.account,
    by: ({ kind }) => kind,
    cell: ({ kind, isHouse }) =>
      isHouse ? (
        <Link to="/ledger/account/$owner" params={{ owner: kind }}>
          {kind}
        </Link>
      ) : (
        words.allCustomers(kind)
      ),
  },
  { id: 'total', header: words.balance, isEnd: true, by: ({ total }) => Number(total), cell: ({ total }) => <Amount of={total} /> },
]

export const balances: readonly Column<BalanceRow>[] = [
  { id: 'kind', header: words.account, by: ({ kind }) => kind, cell: ({ kind, market }) => (market === '' ? kind : `${kind} ${market}`) },
  { id: 'asset', header: t.watch.asset, by: ({ asset }) => asset, cell: ({ asset }) => <b>{asset}</b> },
  {
    id: 'available',
    header: words.available,
    isEnd: true,
    by: ({ available }) => Number(available),
    cell: ({ available }) => <Amount of={available} />,
  },
  { id: 'held', header: words.held, isEnd: true, by: ({ held }) => Number(held), cell: ({ held }) => <Amount of={held} /> },
  { id: 'seq', header: words.changedBy, isEnd: true, cell: ({ seq }) => <Seq of={seq} /> },
]

/** The journal position of a command, which leads to its lines. */
export function Seq({ of }: { readonly of: number }) {
  return (
    <Link to="/ledger/command/$seq" params={{ seq: String(of) }} className="tn">
      {of}
    </Link>
  )
}

const line: readonly Column<Posting>[] = [
  { id: 'asset', header: t.watch.asset, cell: ({ asset }) => <b>{asset}</b> },
  { id: 'reason', header: words.reason, cell: ({ reason, symbol }) => (symbol === null ? reason : `${reason} ${symbol}`) },
  { id: 'order', header: words.order, cell: ({ order }) => (order === null ? '' : <code>{order}</code>) },
  { id: 'available', header: words.available, isEnd: true, cell: ({ available }) => <Amount of={available} isSigned /> },
  { id: 'held', header: words.held, isEnd: true, cell: ({ held }) => <Amount of={held} isSigned /> },
  { id: 'after', header: words.after, isEnd: true, cell: ({ availableAfter }) => <Amount of={availableAfter} /> },
  { id: 'heldAfter', header: words.heldAfter, isEnd: true, cell: ({ heldAfter }) => <Amount of={heldAfter} /> },
]

export const postings: readonly Column<Posting>[] = [
  { id: 'at', header: t.watch.time, cell: ({ at }) => <span className="tn">{timeOf(at)}</span> },
  { id: 'seq', header: t.watch.seq, cell: ({ seq }) => <Seq of={seq} /> },
  { id: 'kind', header: words.account, cell: ({ kind, market }) => (market === '' ? kind : `${kind} ${market}`) },
  ...line,
]

export const lines: readonly Column<Posting>[] = [
  {
    id: 'owner',
    header: words.owner,
    cell: ({ owner, kind }) => (
      <Link to="/ledger/account/$owner" params={{ owner: owner ?? kind }}>
        {owner ?? words.exchange}
      </Link>
    ),
  },
  { id: 'kind', header: words.account, cell: ({ kind, market }) => (market === '' ? kind : `${kind} ${market}`) },
  ...line,
]
