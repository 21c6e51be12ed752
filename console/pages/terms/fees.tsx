/** The fee schedule. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { TermRow } from '@candor/core/protocol/wire/changes.ts'
import type { ReactNode } from 'react'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { SaveTable } from '../../parts/save-table.tsx'
import { Card, Failed, Skeleton } from '../../parts/ui.tsx'
import { OpenDecisions } from './decisions.tsx'
import { TermsForm } from './form.tsx'
import { feesQuery } from './queries.ts'
import { TermsTable } from './table.tsx'
import { cellsOfTerms } from './values.ts'

export function FeesPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, refetch } = useQuery(feesQuery)
  const mayDecide = me?.mayDo.includes('fees.decide') ?? false
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.terms.fees}</h1>
        <span className="fg2">{t.terms.feesText}</span>
        <span className="push">
          <SaveTable name="fees" rows={data?.['tiers'] as readonly TermRow[] | undefined} cells={cellsOfTerms} />
        </span>
      </div>
      <OpenDecisions area="fees" />
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={6} />
      ) : mayDecide ? (
        <TermsForm title={t.terms.propose} area="fees" kind="fees" subject="" now={data} start={data} assets={[]} />
      ) : (
        <Card title={t.terms.kinds.fees}>
          <TermsTable kind="fees" terms={data} assets={[]} />
        </Card>
      )}
    </div>
  )
}
