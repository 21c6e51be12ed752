/** The fee schedule. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { TermRow, Terms } from '@candor/core/protocol/wire/changes.ts'
import type { ReactNode } from 'react'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Card, Failed, Skeleton } from '../../parts/ui.tsx'
import { OpenDecisions } from './decisions.tsx'
import { TermsForm } from './form.tsx'
import { Halt } from './halt.tsx'
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
          <SaveTable name="fees" rows={data?.terms['tiers'] as readonly TermRow[] | undefined} cells={cellsOfTerms} />
        </span>
      </div>
      <OpenDecisions area="fees" />
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={6} />
      ) : (
        <>
          <Part kind="fees" terms={data.terms} {...{ mayDecide }} />
          {data.referral !== null && (
            <>
              <div className="page-head">
                <h2>{t.terms.referral}</h2>
                <Badge tone={data.referral['isOpen'] === true ? 'ok' : 'warn'}>
                  {data.referral['isOpen'] === true ? t.terms.opened : t.terms.closed}
                </Badge>
                {mayDecide && data.referral['isOpen'] === true && <Halt area="fees" kind="referral" subject="" name={t.terms.referral} />}
              </div>
              <Part kind="referral" terms={data.referral} {...{ mayDecide }} />
            </>
          )}
        </>
      )}
    </div>
  )
}

type PartProps = { readonly kind: 'fees' | 'referral'; readonly terms: Terms; readonly mayDecide: boolean }

/** The terms of a kind, with inputs for those who may decide. */
function Part({ kind, terms, mayDecide }: PartProps): ReactNode {
  const title = kind === 'fees' ? t.terms.propose : `${t.terms.propose}: ${t.terms.referral}`
  return mayDecide ? (
    <TermsForm title={title} area="fees" kind={kind} subject="" now={terms} start={terms} assets={[]} />
  ) : (
    <Card title={t.terms.kinds[kind]}>
      <TermsTable kind={kind} terms={terms} assets={[]} />
    </Card>
  )
}
