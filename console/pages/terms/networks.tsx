/** Terms of withdrawals for each asset on each network. */
import type { Terms } from '@candor/core/protocol/wire/changes.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Modal } from '../../parts/dialog.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Button, Card, Empty, Failed, Skeleton } from '../../parts/ui.tsx'
import { OpenDecisions, placeOf } from './decisions.tsx'
import { TermsForm } from './form.tsx'
import { Halt } from './halt.tsx'
import { networksQuery } from './queries.ts'
import { cellsOfTerms, linesOf, nameOf } from './values.ts'
import type { NetworkTerms } from './wire.ts'

/** The form's values before anybody has set terms. */
const first: Terms = { isOpen: true, min: '', fee: '', autoMax: '', singleMax: '' }

export function NetworksPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, refetch } = useQuery(networksQuery)
  const [chosen, setChosen] = useState<string>()
  const mayDecide = me?.mayDo.includes('networks.decide') ?? false
  const found = data?.find(({ subject }) => subject === chosen)
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.terms.networks}</h1>
        <span className="fg2">{t.terms.networksText}</span>
      </div>
      <OpenDecisions area="networks" />
      <Card title={t.terms.kinds.withdrawal} action={<SaveTable name="withdrawal-terms" rows={data} cells={cellsOf} />}>
        {error && data === undefined ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton />
        ) : data.length === 0 ? (
          <Empty title={t.terms.noNetworks} text={t.terms.noNetworksText} />
        ) : (
          <DataTable
            label={t.terms.kinds.withdrawal}
            columns={columnsOf(mayDecide ? setChosen : undefined)}
            rows={data}
            keyOf={({ subject }) => subject}
          />
        )}
      </Card>
      {found !== undefined && (
        <Modal isBroad title={`${t.terms.propose}: ${placeOf(found.subject)}`} onClose={() => setChosen(undefined)}>
          <TermsForm
            title={placeOf(found.subject)}
            {...{ area: 'networks', kind: 'withdrawal', subject: found.subject, now: found.terms, assets: found.assets }}
            start={found.terms ?? first}
            problemsOf={problemsOf}
            onDone={() => setChosen(undefined)}
          />
        </Modal>
      )}
    </div>
  )
}

const cellsOf = ({ subject, terms }: NetworkTerms): Readonly<Record<string, string>> => ({
  ...{ subject, ...cellsOfTerms(terms ?? { isOpen: false, min: '', fee: '', autoMax: '', singleMax: '' }) },
})

/** Why the core would refuse these terms, in words. */
function problemsOf(terms: Terms): readonly string[] {
  const of = (name: string): number => Number(terms[name])
  const { fee, limits } = t.terms.rulesOfWithdrawals
  return [...(of('fee') < of('min') ? [] : [fee]), ...(of('autoMax') <= of('singleMax') ? [] : [limits])]
}

function columnsOf(onChoose: ((subject: string) => void) | undefined): readonly Column<NetworkTerms>[] {
  const sum = (name: string): Column<NetworkTerms> => ({
    id: name,
    header: nameOf(name),
    isEnd: true,
    by: ({ terms }) => Number(terms?.[name] ?? 0),
    cell: ({ terms, assets }) => <span className="tn">{terms === null ? '' : linesOf('sum', terms[name] as string, assets)[0]}</span>,
  })
  return [
    {
      id: 'subject',
      header: t.terms.assetOn,
      by: ({ subject }) => subject,
      cell: ({ subject }) => <b>{placeOf(subject)}</b>,
    },
    {
      id: 'status',
      header: t.terms.status,
      by: ({ terms }) => (terms === null ? 0 : terms['isOpen'] === true ? 2 : 1),
      cell: ({ terms }) =>
        terms === null ? (
          <Badge>{t.terms.noTerms}</Badge>
        ) : (
          <Badge tone={terms['isOpen'] === true ? 'ok' : 'warn'}>{terms['isOpen'] === true ? t.terms.opened : t.terms.closed}</Badge>
        ),
    },
    ...['min', 'fee', 'autoMax', 'singleMax'].map(sum),
    ...(onChoose === undefined ? [] : [actions(onChoose)]),
  ]
}

const actions = (onChoose: (subject: string) => void): Column<NetworkTerms> => ({
  id: 'actions',
  header: '',
  isEnd: true,
  cell: ({ subject, terms }) => (
    <span className="line ends">
      <Button
        size="small"
        aria-label={`${terms === null ? t.terms.openFirst : t.terms.change}: ${placeOf(subject)}`}
        onClick={() => onChoose(subject)}
      >
        {terms === null ? t.terms.openFirst : t.terms.change}
      </Button>
      {terms?.['isOpen'] === true && (
        <Halt area="networks" kind="withdrawal" subject={subject} name={t.terms.withdrawalsOf(placeOf(subject))} />
      )}
    </span>
  ),
})
