/** One market: all its terms, and the form that proposes new ones. `margin`, `conversion` and `new` are pages of the same kind. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { TermKind, Terms } from '@candor/core/protocol/wire/changes.ts'
import type { ReactNode } from 'react'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { Badge, Card, Empty, Failed, Skeleton } from '../../parts/ui.tsx'
import { OpenDecisions } from './decisions.tsx'
import { TermsForm } from './form.tsx'
import { futuresProblems } from './futures-rules.ts'
import { Halt } from './halt.tsx'
import { marketsQuery } from './queries.ts'
import { TermsTable } from './table.tsx'
import { type Markets, wholeKinds } from './wire.ts'

type Shown = {
  readonly kind: TermKind
  readonly subject: string | null
  readonly now: Terms | null
  readonly start: Terms
  readonly assets: readonly string[]
}

/** Pages that list a market, and their titles. */
const newPages: Readonly<Record<string, string>> = { new: t.terms.list, 'new-futures': t.terms.listFutures }

export function MarketPage(): ReactNode {
  const { subject = '' } = useParams({ strict: false }) as { readonly subject?: string }
  const { data: me } = useSuspenseQuery(meQuery)
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(marketsQuery)
  const shown = data === undefined ? undefined : find(data, subject)
  const mayDecide = me?.mayDo.includes('markets.decide') ?? false
  const whole = wholeOf(subject)
  const name = whole === undefined ? (newPages[subject] ?? subject) : t.terms[whole]
  return (
    <div className="page">
      <div className="page-head">
        <h1>{name}</h1>
        {shown?.now && <Status {...shown} {...{ name, mayDecide }} />}
        <Link to="/markets" className="push">
          {t.terms.markets}
        </Link>
      </div>
      {newPages[subject] === undefined && (
        <OpenDecisions area="markets" about={whole === undefined ? { subject } : { kind: whole, subject: '' }} />
      )}
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={12} />
      ) : shown === undefined ? (
        <Empty title={t.terms.notFound} text={t.terms.notFoundText} />
      ) : mayDecide ? (
        <TermsForm
          key={subject}
          title={shown.now === null ? t.terms.kinds[shown.kind] : t.terms.propose}
          area="markets"
          {...shown}
          {...(shown.kind === 'futures-listing' ? { problemsOf: (terms: Terms) => futuresProblems(terms, data) } : {})}
          {...(shown.now === null ? { onDone: () => void navigate({ to: '/markets' }) } : {})}
        />
      ) : (
        shown.now && (
          <Card title={t.terms.kinds[shown.kind]}>
            <TermsTable kind={shown.kind} terms={shown.now} assets={shown.assets} />
          </Card>
        )
      )}
    </div>
  )
}

function Status({ kind, subject, now, name, mayDecide }: Shown & { readonly name: string; readonly mayDecide: boolean }): ReactNode {
  const isWhole = wholeOf(kind) !== undefined
  const isOpen = (isWhole ? now?.['isOpen'] : now?.['isTrading']) === true
  const words = isWhole ? [t.terms.opened, t.terms.closed] : [t.terms.trading, t.terms.halted]
  return (
    <>
      <Badge tone={isOpen ? 'ok' : 'warn'}>{isOpen ? words[0] : words[1]}</Badge>
      {mayDecide && isOpen && <Halt area="markets" kind={kind} subject={subject ?? ''} name={name} />}
    </>
  )
}

const wholeOf = (subject: string) => wholeKinds.find((kind) => kind === subject)

function find(data: Markets, subject: string): Shown | undefined {
  const { markets } = data
  const kind = wholeOf(subject)
  const whole = kind && data[kind]
  if (kind !== undefined) return whole ? { kind, subject: '', now: whole, start: whole, assets: [] } : undefined
  const found = markets.find((one) => one.subject === subject)
  if (found !== undefined) return { kind: found.kind, subject, now: found.terms, start: found.terms, assets: found.assets }
  if (subject === 'new-futures') {
    const model = markets.find(({ kind }) => kind === 'futures')
    if (model === undefined) return undefined
    const start = { ...model.terms, symbol: '', index: '', lotsMin: '', lotsMax: '', isTrading: true }
    return { kind: 'futures-listing', subject: null, now: null, start, assets: ['', 'USDT'] }
  }
  const like = markets.find(({ kind }) => kind === 'spot')
  if (subject !== 'new' || like === undefined) return undefined
  const named = { symbol: '', base: '', baseScale: 8, quote: like.assets[1] ?? 'USDT', tick: '', lot: '' }
  return { kind: 'listing', subject: null, now: null, start: { ...like.terms, ...named, lotsMin: '', lotsMax: '' }, assets: [] }
}
