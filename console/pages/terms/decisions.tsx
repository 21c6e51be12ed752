/** Decisions about terms: those that wait for a second member, and those that are decided. */
import { SaveAll } from '../../parts/save-table.tsx'
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { ageOf, regionOf, timeOf } from '../../app/format.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import type { Me } from '../../app/wire.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Ask, say } from '../../parts/dialog.tsx'
import { Choice, TextField } from '../../parts/fields.tsx'
import { Badge, Button, Card, Empty, Failed, More, Skeleton, type Tone } from '../../parts/ui.tsx'
import { Differences } from './differences.tsx'
import { decisionQuery, openQuery, pastQuery, readAgain } from './queries.ts'
import { accountName, grouped } from './values.ts'
import type { Area, Done, Operation } from './wire.ts'

const areas: readonly Area[] = ['markets', 'fees', 'countries', 'house', 'postings', 'networks', 'presales', 'firms']
const any = 'any'

/** `USDT:TRC20` as people read it; other subjects as they are. */
export const placeOf = (subject: string): string => subject.replace(':', ' · ')

/** One line that names a decision's subject. */
export function subjectOf({ kind, subject }: Pick<Operation, 'kind' | 'subject'>): string {
  if (kind === 'posting') return `${t.terms.kinds.posting}: ${accountName(subject)}`
  if (kind !== 'country') return subject === '' ? t.terms.kinds[kind] : `${t.terms.kinds[kind]} ${placeOf(subject)}`
  return subject === '*' ? t.terms.everywhere : regionOf(subject)
}

export function DecisionsPage(): ReactNode {
  const { area } = useSearch({ strict: false }) as { readonly area?: Area }
  const navigate = useNavigate()
  const options = [{ value: any, label: t.terms.all }, ...areas.map((value) => ({ value, label: t.terms.areas[value] }))]
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.terms.decisions}</h1>
        <span className="push line">
          <Choice
            isBare
            label={t.terms.filter}
            value={area ?? any}
            options={options}
            onChoose={(value) => void navigate({ to: '/decisions', search: value === any ? {} : { area: value as Area } })}
          />
        </span>
      </div>
      <OpenDecisions {...(area === undefined ? {} : { area })} isAlways />
      <Past {...(area === undefined ? {} : { area })} />
    </div>
  )
}

type OpenDecisionsProps = {
  readonly area?: Area
  /** Only those about this. */
  readonly about?: Pick<Operation, 'subject'> & Partial<Pick<Operation, 'kind'>>
  /** Says so when there is none. */
  readonly isAlways?: boolean
}

/** Open proposals as banners, on the pages of their areas too. */
export function OpenDecisions({ area, about, isAlways = false }: OpenDecisionsProps): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const may = me?.mayDo.includes('operations.read') ?? false
  const { data, error, refetch } = useQuery({ ...openQuery(area), enabled: may })
  if (error && data === undefined) return <Failed cause={error} onRetry={() => void refetch()} />
  if (data === undefined || me === null) return isAlways ? <Skeleton rows={2} /> : null
  if (data.length === 0)
    return isAlways ? (
      <Card title={t.terms.open}>
        <Empty title={t.terms.empty} text={t.terms.emptyText} />
      </Card>
    ) : null
  const shown = about === undefined ? data : data.filter(({ subject, kind }) => subject === about.subject && (about.kind ?? kind) === kind)
  return shown.map((operation) => <OpenDecision key={operation.id} {...{ operation, me }} />)
}

type OpenProps = { readonly operation: Operation; readonly me: Me }

function OpenDecision({ operation, me }: OpenProps): ReactNode {
  const [isApproving, setApproving] = useState<boolean>()
  const { id, area, kind, assets, differences, payment, reason, proposedBy, proposedAt, expiresAt, isStale } = operation
  const now = Date.now()
  const may = me.mayDo.includes(`${area}.decide`)
  const isOwn = proposedBy === me.email
  const title = subjectOf(operation)
  return (
    <section className="card four-eyes" aria-label={`${t.terms.number(id)}: ${title}`}>
      <div className="card-head">
        <Users size={15} aria-hidden="true" />
        <h2>
          <Link to="/decisions/$id" params={{ id: String(id) }}>
            {title}
          </Link>
        </h2>
        <span className="fg2">{t.terms.bannerText(proposedBy, ageOf(now - proposedAt), reason)}</span>
        <span className="line push">
          <span className="fg3">{isStale ? t.terms.stale : t.terms.lapses(ageOf(expiresAt - now))}</span>
          {may && (
            <Button size="small" aria-label={`${isOwn ? t.terms.takeBack : t.terms.decline}: ${title}`} onClick={() => setApproving(false)}>
              {isOwn ? t.terms.takeBack : t.terms.decline}
            </Button>
          )}
          {may && !isOwn && !isStale && (
            <Button size="small" look="filled" aria-label={`${t.terms.approve}: ${title}`} onClick={() => setApproving(true)}>
              {t.terms.approve}
            </Button>
          )}
          {may && isOwn && <span className="fg3">{t.terms.own}</span>}
        </span>
      </div>
      <div className="card-body">
        <Differences {...{ kind, assets, differences }} />
        {payment !== null && <p className="tn">{t.terms.paid(grouped(payment.amount))}</p>}
      </div>
      {isApproving !== undefined && <Decide {...{ operation, isApproved: isApproving }} onClose={() => setApproving(undefined)} />}
    </section>
  )
}

type DecideProps = { readonly operation: Operation; readonly isApproved: boolean; readonly onClose: () => void }

function Decide({ operation, isApproved, onClose }: DecideProps): ReactNode {
  const { id, area, kind, assets, differences, payment, reason, proposedBy } = operation
  const isSummed = payment !== null || kind === 'posting'
  const [amount, setAmount] = useState('')
  const decide = async (why: string): Promise<void> => {
    try {
      if (!isApproved) {
        await change('POST', `/terms/${area}/${id}/decline`, { reason: why })
        say(t.terms.declined)
        return
      }
      const done = await change<Done>('POST', `/terms/${area}/${id}/approve`, isSummed ? { amount: amount.trim() } : {})
      say(done.state === 'done' ? t.terms.approved(done.seq) : t.terms.waits)
    } finally {
      await readAgain()
    }
  }
  return (
    <Ask
      title={isApproved ? t.terms.approveTitle : t.terms.declineTitle}
      {...(isApproved ? { text: t.terms.effects[kind] } : {})}
      action={isApproved ? t.terms.approve : t.terms.decline}
      isDanger={!isApproved}
      hasReason={!isApproved}
      onDo={decide}
      onClose={onClose}
    >
      <p>
        <b>{subjectOf(operation)}</b>
        <br />
        <span className="fg2">
          {proposedBy}: “{reason}”
        </span>
      </p>
      <Differences {...{ kind, assets, differences }} />
      {payment !== null && (
        <p className="tn">
          <b>{t.terms.paid(grouped(payment.amount))}</b>
        </p>
      )}
      {isSummed && isApproved && (
        <TextField
          label={t.terms.amountAgain}
          {...(payment === null ? {} : { help: t.terms.amountHelp(payment.uid) })}
          inputMode="decimal"
          autoComplete="off"
          required
          value={amount}
          onText={setAmount}
        />
      )}
    </Ask>
  )
}

export function Past({ area }: { readonly area?: Area }): ReactNode {
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(pastQuery(area))
  const rows = data?.pages.flatMap(({ operations }) => operations) ?? []
  return (
    <Card title={t.terms.past} action={<SaveAll path="/operations.csv" name="decisions" filter={{ area }} />}>
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <Skeleton />
      ) : rows.length === 0 ? (
        <Empty title={t.terms.pastEmpty} text={t.terms.emptyText} />
      ) : (
        <DataTable label={t.terms.past} columns={columns} rows={rows} keyOf={({ id }) => String(id)} />
      )}
      <More hasMore={hasNextPage} isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
    </Card>
  )
}

const tones: Readonly<Record<Operation['state'], Tone>> = {
  open: 'brand',
  approved: 'ok',
  declined: 'plain',
  expired: 'plain',
  failed: 'danger',
}

function State({ operation: { state, doneAt, refusal } }: { readonly operation: Operation }): ReactNode {
  const isSending = state === 'approved' && doneAt === null
  const why = refusal === null ? '' : `: ${(t.refusals as Readonly<Record<string, string>>)[refusal] ?? refusal}`
  return <Badge tone={isSending ? 'warn' : tones[state]}>{(isSending ? t.terms.sending : t.terms.states[state]) + why}</Badge>
}

const columns: readonly Column<Operation>[] = [
  {
    id: 'what',
    header: t.terms.what,
    cell: (row) => (
      <>
        <Link to="/decisions/$id" params={{ id: String(row.id) }} className="strong">
          {subjectOf(row)}
        </Link>
        <div className="fg2">“{row.reason}”</div>
      </>
    ),
  },
  {
    id: 'changes',
    header: t.terms.after,
    cell: ({ kind, assets, differences, payment }) => (
      <>
        <Differences {...{ kind, assets, differences }} />
        {payment !== null && <span className="tn">{t.terms.paid(grouped(payment.amount))}</span>}
      </>
    ),
  },
  {
    id: 'who',
    header: t.terms.who,
    cell: ({ proposedBy, decidedBy, isClosing }) => (
      <>
        {proposedBy}
        <div className="fg3">{isClosing ? t.terms.alone : (decidedBy ?? '')}</div>
      </>
    ),
  },
  {
    id: 'when',
    header: t.terms.when,
    by: ({ id }) => id,
    cell: ({ decidedAt, expiresAt }) => <span className="tn">{timeOf(decidedAt ?? expiresAt)}</span>,
  },
  {
    id: 'state',
    header: t.terms.status,
    by: ({ state }) => state,
    isEnd: true,
    cell: (operation) => (
      <>
        <State operation={operation} />
        {operation.seq !== null && <div className="fg3 tn">{operation.seq}</div>}
      </>
    ),
  },
]

/** One decision by its number. */
export function DecisionPage(): ReactNode {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, refetch } = useQuery(decisionQuery(id))
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.terms.number(Number(id))}</h1>
        <Link to="/decisions" className="push">
          {t.terms.decisions}
        </Link>
      </div>
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined || me === null ? (
        <Skeleton />
      ) : data.state === 'open' ? (
        <OpenDecision operation={data} me={me} />
      ) : (
        <Card title={subjectOf(data)} action={<State operation={data} />}>
          <div className="card-body stack">
            <Differences kind={data.kind} assets={data.assets} differences={data.differences} />
            {data.payment !== null && <p className="tn">{t.terms.paid(grouped(data.payment.amount))}</p>}
            <Facts operation={data} />
          </div>
        </Card>
      )}
    </div>
  )
}

function Facts({ operation }: { readonly operation: Operation }): ReactNode {
  const { reason, why, proposedBy, proposedAt, decidedBy, decidedAt, seq, isClosing } = operation
  const facts: readonly (readonly [string, string | null])[] = [
    [t.terms.reason, reason],
    [t.staff.by, `${proposedBy}, ${timeOf(proposedAt)}`],
    [t.terms.past, decidedBy === null ? null : `${isClosing ? t.terms.alone : decidedBy}, ${timeOf(decidedAt!)}`],
    [t.log.why, why],
    [t.terms.command, seq === null ? null : String(seq)],
  ]
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="tn">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
