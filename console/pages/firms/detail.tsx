/** One firm: what it has by contract, its accounts, members and log. */
import type { ConsoleFirm } from '@candor/core/protocol/wire/console/firms.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'
import { amountOf, regionOf, timeOf } from '../../app/format.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Modal } from '../../parts/dialog.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Button, Card, Empty, Failed, Skeleton } from '../../parts/ui.tsx'
import { OpenDecisions } from '../terms/decisions.tsx'
import { TermsForm } from '../terms/form.tsx'
import { Decide } from './decide.tsx'
import { State } from './page.tsx'
import { firmQuery } from './queries.ts'

export function FirmPage(): ReactNode {
  const { number } = useParams({ strict: false }) as { readonly number: string }
  const { data: firm, error, refetch } = useQuery(firmQuery(number))
  if (error && firm === undefined) return <Failed cause={error} onRetry={() => void refetch()} />
  if (firm === undefined) return <Skeleton />
  return (
    <div className="page">
      <div className="page-head">
        <h1>{firm.name}</h1>
        <State {...firm} />
        <span className="fg2">
          {firm.registration} · {regionOf(firm.country)}
        </span>
        <span className="push">
          <Decide firm={firm} />
        </span>
      </div>
      {firm.why !== null && (
        <p className="fg2">
          {t.firms.why}: “{firm.why}” {firm.decidedBy}
        </p>
      )}
      {firm.subject !== undefined && <OpenDecisions area="firms" about={{ subject: firm.subject, kind: 'firm' }} />}
      {firm.subject !== undefined && <ByContract firm={firm} subject={firm.subject} />}
      <Rows title={t.firms.accounts} name="firm-accounts" rows={firm.accounts} columns={accountColumns} keyOf={({ uid }) => uid} />
      <Rows title={t.firms.members} name="firm-members" rows={firm.members} columns={memberColumns} keyOf={keyOfMember} />
      <Rule rule={firm.rule} />
      <Rows title={t.firms.log} name="firm-log" rows={firm.log} columns={logColumns} keyOf={({ id }) => id} />
    </div>
  )
}

function ByContract({ firm: { name, terms, isOwn }, subject }: { readonly firm: ConsoleFirm; readonly subject: string }): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const [isChanging, setIsChanging] = useState(false)
  const mayDecide = (me?.mayDo.includes('firms.decide') ?? false) && !isOwn
  return (
    <Card title={t.firms.terms} action={mayDecide && <Button onClick={() => setIsChanging(true)}>{t.firms.change}</Button>}>
      <dl className="facts">
        <dt>{t.firms.tier}</dt>
        <dd className="tn">{terms.tier}</dd>
        <dt>{t.firms.withdrawMax}</dt>
        <dd className="tn">{amountOf(terms.withdrawMax, 2)} USDT</dd>
      </dl>
      {isChanging && (
        <Modal isBroad title={`${t.terms.propose}: ${name}`} onClose={() => setIsChanging(false)}>
          <TermsForm
            title={name}
            {...{ area: 'firms', kind: 'firm', subject, now: { ...terms }, assets: [] }}
            start={{ ...terms }}
            onDone={() => setIsChanging(false)}
          />
        </Modal>
      )}
    </Card>
  )
}

/** How many members of the firm approve what. They change it themselves. */
function Rule({ rule: { bands, addressPeople } }: Pick<ConsoleFirm, 'rule'>): ReactNode {
  return (
    <Card title={t.firms.rule}>
      <dl className="facts">
        {bands.map(({ upTo, people }) => (
          <Fragment key={upTo ?? ''}>
            <dt>{upTo === null ? t.firms.anyValue : t.firms.upTo(amountOf(upTo, 2))}</dt>
            <dd className="tn">{t.firms.people(people)}</dd>
          </Fragment>
        ))}
        <dt>{t.firms.newAddress}</dt>
        <dd className="tn">{t.firms.people(addressPeople)}</dd>
      </dl>
    </Card>
  )
}

type RowsProps<R> = {
  readonly title: string
  readonly name: string
  readonly rows: readonly R[]
  readonly columns: readonly Column<R>[]
  readonly keyOf: (row: R) => string
}

function Rows<R extends object>({ title, name, rows, columns, keyOf }: RowsProps<R>): ReactNode {
  return (
    <Card title={title} action={<SaveTable name={name} rows={rows} cells={cellsOf} />}>
      {rows.length === 0 ? (
        <Empty title={t.firms.noAccounts} text={t.firms.noAccountsText} />
      ) : (
        <DataTable label={title} columns={columns} rows={rows} keyOf={keyOf} />
      )}
    </Card>
  )
}

const cellsOf = (row: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, name === 'at' ? new Date(value as number).toISOString() : String(value)]),
  )

type Account = ConsoleFirm['accounts'][number]
type Member = ConsoleFirm['members'][number]
type Entry = ConsoleFirm['log'][number]

/** One person may have been a member twice. */
const keyOfMember = ({ uid, label, role, state }: Member): string => [uid, label, role, state].join(' ')

function customer(uid: string): ReactNode {
  return (
    <Link to="/customers/$uid" params={{ uid }} preload={false} className="tn">
      {uid}
    </Link>
  )
}

function stateOf({ isOpen, isArchived, isFrozen }: Account): string {
  if (isFrozen) return t.firms.frozen
  if (isArchived) return t.firms.archived
  return isOpen ? t.firms.open : t.firms.opening
}

const accountColumns: readonly Column<Account>[] = [
  { id: 'account', header: t.firms.account, by: ({ label }) => label, cell: ({ label }) => label },
  { id: 'uid', header: 'UID', by: ({ uid }) => uid, cell: ({ uid }) => customer(uid) },
  { id: 'kind', header: t.firms.kind, by: ({ kind }) => kind, cell: ({ kind }) => t.firms.kinds[kind] },
  {
    id: 'state',
    header: t.firms.state,
    by: stateOf,
    cell: (account) => <Badge tone={account.isFrozen ? 'warn' : account.isOpen ? 'ok' : 'plain'}>{stateOf(account)}</Badge>,
  },
]

const memberColumns: readonly Column<Member>[] = [
  { id: 'member', header: t.firms.member, by: ({ label }) => label, cell: ({ label }) => label },
  { id: 'uid', header: 'UID', by: ({ uid }) => uid, cell: ({ uid }) => customer(uid) },
  { id: 'role', header: t.firms.role, by: ({ role }) => role, cell: ({ role }) => t.firms.roles[role] },
  { id: 'state', header: t.firms.state, by: ({ state }) => state, cell: ({ state }) => t.firms.memberStates[state] },
]

const logColumns: readonly Column<Entry>[] = [
  { id: 'when', header: t.firms.when, by: ({ at }) => at, cell: ({ at }) => <span className="tn">{timeOf(at)}</span> },
  { id: 'action', header: t.firms.action, by: ({ action }) => action, cell: ({ action }) => action },
  { id: 'who', header: t.firms.who, by: ({ who = '' }) => who, cell: ({ who }) => who ?? t.firms.exchange },
  { id: 'account', header: t.firms.account, by: ({ account = '' }) => account, cell: ({ account }) => account ?? '' },
]
