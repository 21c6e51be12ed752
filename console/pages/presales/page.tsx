/** Presales: those that are prepared, open and over, and the decisions about them. */
import { presales as words } from '../../app/presale-texts.ts'
import type { ConsolePresale } from '@candor/core/protocol/wire/console/presale.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { amountOf, countOf } from '../../app/format.ts'
import { momentText } from '../../app/moment.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Ask, say } from '../../parts/dialog.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Button, buttonClass, Card, Empty, Failed, Skeleton, type Tone } from '../../parts/ui.tsx'
import { OpenDecisions, placeOf } from '../terms/decisions.tsx'
import { Reason, reasonForm } from '../terms/form.tsx'
import { readAgain } from '../terms/queries.ts'
import { numberOf, presalesQuery } from './queries.ts'

export function PresalesPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, refetch } = useQuery(presalesQuery)
  const [leaving, setLeaving] = useState<ConsolePresale>()
  const mayDecide = me?.mayDo.includes('presales.decide') ?? false
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.title}</h1>
        <span className="fg2">{words.text}</span>
        {mayDecide && (
          <Link to="/presales/$number" params={{ number: 'new' }} className={`${buttonClass({ look: 'filled' })} push`}>
            {words.prepare}
          </Link>
        )}
      </div>
      <OpenDecisions area="presales" />
      <Card title={words.prepared} action={<SaveTable name="presales" rows={data} cells={cellsOf} />}>
        {error && data === undefined ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton />
        ) : data.length === 0 ? (
          <Empty title={words.empty} text={words.emptyText} />
        ) : (
          <DataTable
            label={words.prepared}
            columns={columnsOf(mayDecide ? setLeaving : undefined)}
            rows={data}
            keyOf={({ subject }) => subject}
          />
        )}
      </Card>
      {leaving !== undefined && <Cancel presale={leaving} onClose={() => setLeaving(undefined)} />}
    </div>
  )
}

/** Proposes to refund everything. */
function Cancel({ presale: { subject, title }, onClose }: { readonly presale: ConsolePresale; readonly onClose: () => void }): ReactNode {
  const [reason, setReason] = useState('')
  const propose = async (): Promise<void> => {
    const terms = { isCancelled: true }
    await change('POST', '/terms/presales', { kind: 'presale-cancel', subject, terms, reason: reason.trim() })
    await readAgain()
    say(words.cancelProposed)
  }
  return (
    <Ask
      {...{ title: words.cancelTitle(title), text: t.terms.effects['presale-cancel'], action: t.terms.submit, onClose }}
      isDanger
      isReady={reasonForm.test(reason)}
      onDo={propose}
    >
      <Reason label={t.terms.reason} value={reason} onText={setReason} />
    </Ask>
  )
}

const tones: Readonly<Record<ConsolePresale['state'], Tone>> = {
  ...{ draft: 'plain', upcoming: 'brand', subscribing: 'ok', ended: 'plain', locked: 'warn', released: 'plain' },
}

/** Where a presale stands, and why it ended without an allocation. */
export function State({ presale: { state, outcome } }: { readonly presale: Pick<ConsolePresale, 'state' | 'outcome'> }): ReactNode {
  const isRefunded = outcome === 'missed' || outcome === 'cancelled'
  return <Badge tone={isRefunded ? 'warn' : tones[state]}>{isRefunded ? words.outcomes[outcome] : words.states[state]}</Badge>
}

/** Until its end a presale can be cancelled. */
const canEnd = ({ state, outcome }: ConsolePresale): boolean => outcome === null && (state === 'upcoming' || state === 'subscribing')
const isoOf = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())

function cellsOf(row: ConsolePresale): Readonly<Record<string, string>> {
  const { subject, title, state, outcome, startsAt, endsAt, subscribers, subscribed, sold, hash, preparedBy } = row
  const named = { presale: subject, title, state, outcome: outcome ?? '', startsAt: isoOf(startsAt), endsAt: isoOf(endsAt) }
  return { ...named, subscribers: String(subscribers), subscribed, sold: sold ?? '', texts: hash, preparedBy: preparedBy ?? '' }
}

function columnsOf(onCancel: ((presale: ConsolePresale) => void) | undefined): readonly Column<ConsolePresale>[] {
  return [
    {
      id: 'presale',
      header: words.presale,
      by: ({ subject }) => Number(numberOf(subject)),
      cell: ({ subject, title }) => (
        <>
          <Link to="/presales/$number" params={{ number: numberOf(subject) }} className="strong">
            {title}
          </Link>
          <div className="fg3 tn">{placeOf(subject)}</div>
        </>
      ),
    },
    { id: 'state', header: words.state, by: ({ state }) => words.states[state], cell: (presale) => <State presale={presale} /> },
    {
      id: 'when',
      header: words.when,
      by: ({ startsAt }) => startsAt ?? 0,
      cell: ({ startsAt, endsAt }) => (
        <span className="tn">
          {startsAt !== null && momentText(startsAt)}
          {endsAt !== null && <div className="fg3">{momentText(endsAt)}</div>}
        </span>
      ),
    },
    {
      id: 'subscribed',
      header: words.subscribed,
      isEnd: true,
      by: ({ subscribed }) => Number(subscribed),
      cell: ({ subscribed }) => <span className="tn">{amountOf(subscribed, 2)} USDT</span>,
    },
    {
      id: 'subscribers',
      header: words.subscribers,
      isEnd: true,
      by: ({ subscribers }) => subscribers,
      cell: ({ subscribers }) => <span className="tn">{countOf(subscribers)}</span>,
    },
    {
      id: 'sold',
      header: words.sold,
      isEnd: true,
      by: ({ sold }) => Number(sold ?? 0),
      cell: ({ sold, assets }) => <span className="tn">{sold === null ? '' : `${amountOf(sold, 2)} ${assets[0] ?? ''}`}</span>,
    },
    {
      id: 'by',
      header: words.by,
      by: ({ preparedBy }) => preparedBy ?? '',
      cell: ({ preparedBy }) => preparedBy ?? words.firstStart,
    },
    ...(onCancel === undefined ? [] : [actions(onCancel)]),
  ]
}

const actions = (onCancel: (presale: ConsolePresale) => void): Column<ConsolePresale> => ({
  id: 'actions',
  header: '',
  isEnd: true,
  cell: (presale) => (
    <span className="line ends">
      <Link
        to="/presales/$number"
        params={{ number: numberOf(presale.subject) }}
        className={buttonClass({ size: 'small' })}
        aria-label={`${canChange(presale) ? words.change : words.view}: ${presale.title}`}
      >
        {canChange(presale) ? words.change : words.view}
      </Link>
      {canEnd(presale) && (
        <Button size="small" isDanger aria-label={`${words.cancel}: ${presale.title}`} onClick={() => onCancel(presale)}>
          {words.cancel}
        </Button>
      )}
    </span>
  ),
})

/** Until it begins, its terms can change. */
export const canChange = ({ state, outcome }: Pick<ConsolePresale, 'state' | 'outcome'>): boolean =>
  outcome === null && (state === 'draft' || state === 'upcoming')
