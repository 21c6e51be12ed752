/** All markets with the terms that matter most; each opens its own page. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Terms } from '@candor/core/protocol/wire/changes.ts'
import type { ReactNode } from 'react'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, buttonClass, Card, Failed, Skeleton } from '../../parts/ui.tsx'
import { OpenDecisions } from './decisions.tsx'
import { Halt } from './halt.tsx'
import { marketsQuery } from './queries.ts'
import { cellsOfTerms, linesOf, nameOf, textOf } from './values.ts'
import { type MarketTerms, wholeKinds } from './wire.ts'

export function MarketsPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const mayDecide = me?.mayDo.includes('markets.decide') ?? false
  const { data, error, refetch } = useQuery(marketsQuery)
  const of = (kind: MarketTerms['kind']): readonly MarketTerms[] => data?.markets.filter((one) => one.kind === kind) ?? []
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.terms.markets}</h1>
        {mayDecide && (
          <span className="line push">
            <Link to="/markets/$subject" params={{ subject: 'new-futures' }} className={buttonClass({})}>
              {t.terms.listFutures}
            </Link>
            <Link to="/markets/$subject" params={{ subject: 'new' }} className={buttonClass({ look: 'filled' })}>
              {t.terms.list}
            </Link>
          </span>
        )}
      </div>
      <OpenDecisions area="markets" />
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={12} />
      ) : (
        <>
          {(['spot', 'futures'] as const).map((kind) => (
            <Card key={kind} title={t.terms[kind]} action={<SaveTable name={`markets-${kind}`} rows={of(kind)} cells={cellsOf} />}>
              <DataTable label={t.terms[kind]} columns={columnsOf(kind, mayDecide)} rows={of(kind)} keyOf={({ subject }) => subject} />
            </Card>
          ))}
          {wholeKinds.map((kind) => {
            const terms = data[kind]
            return terms !== null && <Whole key={kind} {...{ kind, terms, mayDecide }} />
          })}
        </>
      )}
    </div>
  )
}

const cellsOf = ({ subject, tick, lot, terms }: MarketTerms): Readonly<Record<string, string>> => ({
  ...{ market: subject, tick, lot, ...cellsOfTerms(terms) },
})

type WholeProps = { readonly kind: (typeof wholeKinds)[number]; readonly terms: Terms; readonly mayDecide: boolean }

/** Terms that no single market has, with the one that says most. */
function Whole({ kind, terms, mayDecide }: WholeProps) {
  const isOpen = terms['isOpen'] === true
  const name = kind === 'margin' ? 'crossLeverage' : 'spreadPpm'
  const unit = kind === 'margin' ? 'times' : 'ppm'
  return (
    <Card
      title={t.terms[kind]}
      action={
        <span className="line">
          <Badge tone={isOpen ? 'ok' : 'warn'}>{isOpen ? t.terms.opened : t.terms.closed}</Badge>
          <Link
            to="/markets/$subject"
            params={{ subject: kind }}
            className={buttonClass({ size: 'small' })}
            aria-label={`${t.overview.open}: ${t.terms[kind]}`}
          >
            {t.overview.open}
          </Link>
          {mayDecide && isOpen && <Halt area="markets" kind={kind} subject="" name={t.terms[kind]} />}
        </span>
      }
    >
      <p className="card-body fg2">
        {nameOf(name)}: <span className="tn">{linesOf(unit, terms[name] as string, [])[0]}</span>
      </p>
    </Card>
  )
}

function columnsOf(kind: MarketTerms['kind'], mayDecide: boolean): readonly Column<MarketTerms>[] {
  const value = (name: string, unit: Parameters<typeof textOf>[0]): Column<MarketTerms> => ({
    id: name,
    header: nameOf(name),
    isEnd: true,
    by: ({ terms }) => Number(terms[name]),
    cell: ({ terms, assets }) => <span className="tn">{linesOf(unit, terms[name] as string, assets)[0]}</span>,
  })
  return [
    {
      id: 'market',
      header: t.terms.market,
      by: ({ subject }) => subject,
      cell: ({ subject }) => (
        <Link to="/markets/$subject" params={{ subject }} className="strong">
          {subject}
        </Link>
      ),
    },
    {
      id: 'status',
      header: t.terms.status,
      by: ({ terms }) => (terms['isTrading'] === true ? 1 : 0),
      cell: ({ terms }) => (
        <Badge tone={terms['isTrading'] === true ? 'ok' : 'warn'}>{terms['isTrading'] === true ? t.terms.trading : t.terms.halted}</Badge>
      ),
    },
    value('makerFeePpm', 'ppm'),
    value('takerFeePpm', 'ppm'),
    value('notionalMin', 'quote'),
    ...(kind === 'spot'
      ? [value('bandPpm', 'ppm'), value('slippagePpm', 'ppm')]
      : [value('leverageMax', 'times'), value('fundingCap', 'nano'), value('openInterestMax', 'quote')]),
    {
      id: 'actions',
      header: '',
      isEnd: true,
      cell: ({ subject, terms }) => (
        <span className="line" style={{ justifyContent: 'flex-end' }}>
          <Link
            to="/markets/$subject"
            params={{ subject }}
            className={buttonClass({ size: 'small' })}
            aria-label={`${mayDecide ? t.terms.change : t.overview.open}: ${subject}`}
          >
            {mayDecide ? t.terms.change : t.overview.open}
          </Link>
          {mayDecide && terms['isTrading'] === true && <Halt area="markets" {...{ kind, subject }} name={subject} />}
        </span>
      ),
    },
  ]
}
