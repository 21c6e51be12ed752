import { Headset, Plus } from 'lucide-react'
import { useContext } from 'react'
import type { WireTicket } from '@candor/core/protocol/wire/support/tickets.ts'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { PathBeside, useIsWide } from '../../app/wide/use-is-wide.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Rows } from '../../parts/ui/row.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { Split } from '../../parts/wide/split.tsx'
import { aboutOf } from './about.ts'
import { ticketsQuery, useTickets } from './data.ts'
import { NewTicket } from './new-ticket.tsx'
import { Contact, Presence, Questions, Safe } from './questions.tsx'
import { Thread } from './thread.tsx'

/** Support: tickets of the customer, one of them as a chat, and answers to frequent questions for everybody. */
export function Screen() {
  const { t } = useTranslation()
  const isCustomer = useMe() !== undefined
  const isWide = useIsWide()
  const { query } = usePlace()
  const [ticket, about] = [query.get('ticket'), aboutOf(query.get('about'))]
  const opened = !isCustomer ? undefined : ticket !== null ? (
    <Thread key={ticket} id={ticket} />
  ) : about !== undefined || query.has('new') ? (
    <NewTicket about={about} />
  ) : undefined
  if (opened === undefined) return <Start />
  if (!isWide) return opened
  return (
    <Split
      name="/support"
      label={t('support.tickets')}
      list={
        <PathBeside value={ticket ?? ''}>
          <Start />
        </PathBeside>
      }
    >
      {opened}
    </Split>
  )
}

/** Whom to ask, the customer's tickets, and answers. */
function Start() {
  const { t } = useTranslation()
  const isCustomer = useMe() !== undefined
  const { query } = usePlace()
  const [ticket, about] = [query.get('ticket'), aboutOf(query.get('about'))]
  const next = ticket !== null ? `/support?ticket=${ticket}` : about === undefined ? '/support' : `/support?${query.toString()}`
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: ticketsQuery })}>
      <PageHeader title={t('support.title')} fallback="/me" />
      <div className="wide-columns flex flex-col gap-5 pt-1 pb-8">
        <div className="flex flex-col gap-3 px-4">
          <p className="text-15 text-pretty text-fg2">{t('support.lead')}</p>
          <Presence />
          <Safe />
        </div>
        {isCustomer ? <Tickets /> : <LoginFirst text={t('support.loginFirst')} next={encodeURIComponent(next)} />}
        <Questions />
        <Contact />
      </div>
    </Pull>
  )
}

function Tickets() {
  const { t } = useTranslation()
  const { data, error } = useTickets()
  return (
    <section className="flex flex-col gap-3">
      {data === undefined && (error === null ? <TicketsOutline /> : <Failure error={error} isSmall />)}
      {data?.tickets.length === 0 && <Empty text={t('support.empty')} icon={<Headset size={22} strokeWidth={1.75} />} />}
      {data !== undefined && data.tickets.length > 0 && (
        <Rows title={t('support.tickets')}>
          {data.tickets.map((ticket) => (
            <TicketRow key={ticket.id} ticket={ticket} />
          ))}
        </Rows>
      )}
      <div className="px-4">
        <ButtonLink to="/support?new=1" isWide>
          <Plus size={18} strokeWidth={2} aria-hidden />
          {t('support.create')}
        </ButtonLink>
      </div>
    </section>
  )
}

/** As high as the words for no tickets, which most customers see. */
function TicketsOutline() {
  return (
    <div className="min-h-44">
      <RowsSkeleton rows={2} />
    </div>
  )
}

function TicketRow({ ticket: { id, subject, topic, state, changedAt, unread } }: { readonly ticket: WireTicket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const isOpen = useContext(PathBeside) === id
  return (
    <a
      href={`#/support?ticket=${id}`}
      aria-current={isOpen ? true : undefined}
      className="flex min-h-13 items-center gap-3 px-4 py-3 active:bg-s2"
    >
      <span className="min-w-0 flex-1">
        <span dir="auto" className={`block truncate text-15 ${unread > 0 ? 'font-semibold' : ''}`}>
          {subject}
        </span>
        <span className="tn flex flex-wrap gap-x-2 text-12 text-fg2">
          <span>{t(`support.topics.${topic}`)}</span>
          <time dateTime={new Date(changedAt).toISOString()}>{format.dateTime(changedAt)}</time>
        </span>
      </span>
      <span
        className={`rounded-chip px-2 py-0.5 text-12 font-medium ${state === 'waiting' ? 'bg-brandtint text-brand' : 'bg-s2 text-fg2'}`}
      >
        {t(`support.states.${state}`)}
      </span>
      {unread > 0 && (
        <span
          role="img"
          aria-label={t('support.unread', { count: unread })}
          className="tn flex min-w-5 items-center justify-center rounded-full bg-brand px-1.5 text-12 font-semibold text-onbrand"
        >
          {unread}
        </span>
      )}
    </a>
  )
}
