/** One finding: what was seen, by which figures, of which customers, and how it was settled. */
import type { Finding, Measure, Party, Verdict } from '@candor/core/protocol/wire/console/surveillance.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { clockOf, dateOf, timeOf } from '../../app/format.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Ask, say } from '../../parts/dialog.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Button, buttonClass, Card, Failed, Skeleton } from '../../parts/ui.tsx'
import { findingQuery, readAgain } from './queries.ts'

const words = t.surveillance
const tones = { open: 'warn', escalated: 'danger', explained: 'ok' } as const

export function FindingPage(): ReactNode {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(findingQuery(id))
  return (
    <div className="page">
      {data !== undefined ? (
        <Shown finding={data} />
      ) : error ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={8} />
      )}
    </div>
  )
}

function Shown({ finding }: { readonly finding: Finding }): ReactNode {
  const { kind, market, day, text, from, to, measures, parties, orders } = finding
  return (
    <>
      <div className="page-head">
        <h1>{`${words.kinds[kind]}${market === null ? '' : ` · ${market}`}`}</h1>
        <StateBadge of={finding} />
        <span className="fg2 tn">{timesOf(day, from, to)}</span>
        <Link to="/surveillance" className={buttonClass({ look: 'quiet' })}>
          {words.back}
        </Link>
      </div>
      <div className="finding-grid">
        <div className="stack">
          <Card title={words.seen}>
            <div className="card-body stack">
              <p className="finding-text">{text}</p>
              <p className="fg3 small">{words.about[kind]}</p>
            </div>
          </Card>
          <Card
            title={words.figures}
            action={<SaveTable name="finding-figures" rows={measures} cells={({ limit, ...row }) => ({ ...row, limit: limit ?? '' })} />}
          >
            <DataTable label={words.figures} columns={figures} rows={measures} keyOf={({ name }) => name} />
          </Card>
        </div>
        <div className="stack">
          <Decision finding={finding} />
          <Card
            title={words.accounts}
            action={<SaveTable name="finding-accounts" rows={parties} cells={({ uid, role }) => ({ uid, role })} />}
          >
            <DataTable label={words.accounts} columns={accounts} rows={parties} keyOf={({ uid }) => uid} />
          </Card>
          {orders.length > 0 && <Orders orders={orders} />}
        </div>
      </div>
    </>
  )
}

/** Within one day the date stands once. */
function timesOf(day: string, from: number, to: number): string {
  const isWithin = [from, to].every((at) => new Date(at).toISOString().startsWith(day))
  return isWithin ? `${dateOf(from)}, ${words.until(clockOf(from), clockOf(to))} UTC` : `${words.until(timeOf(from), timeOf(to))} UTC`
}

const figures: readonly Column<Measure>[] = [
  { id: 'name', header: words.figure, cell: ({ name }) => name },
  { id: 'seen', header: words.value, isEnd: true, cell: ({ seen }) => <b className="tn">{seen}</b> },
  { id: 'limit', header: words.threshold, isEnd: true, cell: ({ limit }) => <span className="tn fg2">{limit ?? words.none}</span> },
]

const accounts: readonly Column<Party>[] = [
  { id: 'uid', header: words.customer, cell: (party) => <Parties parties={[party]} max={1} /> },
  {
    id: 'others',
    header: words.otherFindings,
    isEnd: true,
    cell: ({ uid }) => (
      <Link to="/surveillance" search={{ uid, state: 'all' }} preload={false}>
        {words.show}
      </Link>
    ),
  },
]

function Orders({ orders }: { readonly orders: readonly string[] }): ReactNode {
  return (
    <Card
      title={
        <>
          {words.orders} <small className="fg3 small plain">{words.ordersText}</small>
        </>
      }
    >
      <div className="card-body order-numbers">
        {orders.map((order) => (
          <Link key={order} to="/customers" search={{ q: order }} preload={false} className="tn">
            {order}
          </Link>
        ))}
      </div>
    </Card>
  )
}

function Decision({ finding }: { readonly finding: Finding }): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const [verdict, setVerdict] = useState<Verdict>()
  const { settled } = finding
  return (
    <Card title={words.decision}>
      <div className="card-body stack">
        {settled !== null ? (
          <>
            <p>“{settled.reason}”</p>
            <p className="fg2 small">{words.settledBy(settled.by, timeOf(settled.at))}</p>
          </>
        ) : (
          <>
            <p className="fg2">{words.decisionText}</p>
            {me?.mayDo.includes('surveillance.decide') ? (
              <span className="line">
                <Button onClick={() => setVerdict('explained')}>{words.explain}</Button>
                <Button isDanger onClick={() => setVerdict('escalated')}>
                  {words.escalate}
                </Button>
              </span>
            ) : (
              <p className="fg3">{words.mayNot}</p>
            )}
          </>
        )}
      </div>
      {verdict !== undefined && <Settle id={finding.id} verdict={verdict} onClose={() => setVerdict(undefined)} />}
    </Card>
  )
}

type SettleProps = { readonly id: string; readonly verdict: Verdict; readonly onClose: () => void }

function Settle({ id, verdict, onClose }: SettleProps): ReactNode {
  const texts = {
    explained: { title: words.explainTitle, text: words.explainText, action: words.explain, done: words.explained },
    escalated: { title: words.escalateTitle, text: words.escalateText, action: words.escalate, done: words.escalated },
  }[verdict]
  const act = async (reason: string): Promise<void> => {
    try {
      await change('POST', `/surveillance/findings/${id}/settle`, { verdict, reason })
      say(texts.done)
    } finally {
      await readAgain()
    }
  }
  return (
    <Ask
      title={texts.title}
      text={texts.text}
      action={texts.action}
      isDanger={verdict === 'escalated'}
      hasReason
      onDo={act}
      onClose={onClose}
    />
  )
}

export function StateBadge({ of: { settled } }: { readonly of: Finding }): ReactNode {
  const state = settled?.verdict ?? 'open'
  return <Badge tone={tones[state]}>{words.states[state]}</Badge>
}

/** Accounts by their UID, with their part in the exchange if they are no plain customers. */
export function Parties({ parties, max }: { readonly parties: readonly Party[]; readonly max: number }): ReactNode {
  return (
    <span className="parties">
      {parties.slice(0, max).map(({ uid, role }) => (
        <span key={uid} className="line">
          {/^[0-9]+$/.test(uid) ? (
            <Link to="/customers/$uid" params={{ uid }} preload={false} className="tn">
              {uid}
            </Link>
          ) : (
            <span className="tn">{uid}</span>
          )}
          {role !== 'customer' && <Badge tone="brand">{words.roles[role]}</Badge>}
        </span>
      ))}
      {parties.length > max && <span className="fg3">{words.moreAccounts(parties.length - max)}</span>}
    </span>
  )
}
