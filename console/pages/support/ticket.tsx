/** One ticket: the messages, the customer beside them, and what a member can do. */
import type { TicketMessage, TicketRole, TicketThread } from '@candor/core/protocol/wire/console/support.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { change } from '../../app/client.ts'
import { languageOf, timeOf } from '../../app/format.ts'
import { useKeys } from '../../app/keys.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import type { Me } from '../../app/wire.ts'
import { Ask, say } from '../../parts/dialog.tsx'
import { Choice } from '../../parts/fields.tsx'
import { Badge, Button, Card, Failed, Skeleton } from '../../parts/ui.tsx'
import { profileQuery } from '../customers/queries.ts'
import { pictureQuery, readTicketAgain, ticketQuery, usePresence } from './queries.ts'
import { Writing } from './writing.tsx'

const words = t.support

export function TicketPage(): ReactNode {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const { data: me } = useSuspenseQuery(meQuery)
  usePresence(me?.mayDo.includes('support.answer') ?? false)
  const { data, error, refetch } = useQuery(ticketQuery(id))
  if (me === null) return null
  if (data === undefined) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Skeleton rows={8} />
  return <Ticket me={me} thread={data} />
}

function Ticket({ me, thread }: { readonly me: Me; readonly thread: TicketThread }): ReactNode {
  const { ticket, messages, readByCustomer } = thread
  const lastOfUs = messages.findLast(({ author }) => author === 'member')?.number
  return (
    <div className="page">
      <div className="page-head">
        <h1>
          <bdi>{ticket.subject === '' ? ticket.id : ticket.subject}</bdi>
        </h1>
        <Badge>{words.states[ticket.state]}</Badge>
        <span className="fg2">{words.topics[ticket.topic]}</span>
        <Actions me={me} ticket={ticket} />
      </div>
      <div className="ticket">
        <Card title={words.thread} action={ticket.isLooking ? <Badge tone="ok">{words.looking}</Badge> : undefined}>
          <ol className="ticket-thread" aria-live="polite">
            {messages.map((message) => (
              <Message key={message.number} message={message} isSeen={message.number === lastOfUs && message.number <= readByCustomer} />
            ))}
          </ol>
          <Writing key={ticket.id} ticket={ticket} mayDo={me.mayDo} />
        </Card>
        <Facts me={me} ticket={ticket} />
      </div>
    </div>
  )
}

function Message({
  message: { author, by, text, event, at, images },
  isSeen,
}: {
  readonly message: TicketMessage
  readonly isSeen: boolean
}): ReactNode {
  if (event !== null)
    return (
      <li className="fg3 tn">
        {words.events[event]} · {timeOf(at)}
      </li>
    )
  return (
    <li className={`ticket-message ${author}`}>
      <p className="fg3 tn">
        {author === 'customer' ? words.you : by} {author === 'note' && `· ${words.note} `}· {timeOf(at)} {isSeen && `· ${words.seen}`}
      </p>
      <p className="ticket-text" dir="auto">
        {text}
      </p>
      {images.map(({ id }, index) => (
        <Picture key={id} id={id} index={index + 1} />
      ))}
    </li>
  )
}

/** Shown when somebody asks for it, because each view is in the log. */
function Picture({ id, index }: { readonly id: string; readonly index: number }): ReactNode {
  const [isAsked, setAsked] = useState(false)
  const { data, error, refetch } = useQuery({ ...pictureQuery(id), enabled: isAsked })
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (data === undefined) return
    const own = URL.createObjectURL(data)
    setUrl(own)
    return () => URL.revokeObjectURL(own)
  }, [data])
  if (error) return <Failed cause={error} onRetry={() => void refetch()} />
  if (url !== undefined) return <img className="ticket-picture" src={url} alt={words.pictureAlt(index)} />
  return (
    <Button size="small" title={words.pictureNote} disabled={isAsked} onClick={() => setAsked(true)}>
      {words.picture(index)}
    </Button>
  )
}

function Actions({ me, ticket }: { readonly me: Me; readonly ticket: TicketThread['ticket'] }): ReactNode {
  const [asking, setAsking] = useState<'hand-over' | 'close'>()
  const [role, setRole] = useState<TicketRole>(ticket.role === 'support' ? 'compliance' : 'support')
  const navigate = useNavigate()
  const isMine = ticket.assignee === me.email
  const mayNote = me.mayDo.includes('support.note')
  const path = `/support/tickets/${ticket.id}`
  const assign = async (): Promise<void> => {
    await change('POST', `${path}/assignment`, { isMine: !isMine })
    await readTicketAgain()
  }
  useKeys({
    u: { what: words.keys.list, run: () => void navigate({ to: '/support' }) },
    ...(mayNote ? { t: { what: words.keys.take, run: () => void assign() } } : {}),
  })
  if (!mayNote) return null
  const others = Object.entries(words.roles).filter(([value]) => value !== ticket.role)
  return (
    <span className="line push">
      <Button hotkey="T" onClick={() => void assign()}>
        {isMine ? words.giveBack : words.take}
      </Button>
      <Button onClick={() => setAsking('hand-over')}>{words.handOver}</Button>
      {me.mayDo.includes('support.answer') && ticket.state !== 'closed' && (
        <Button isDanger onClick={() => setAsking('close')}>
          {words.close}
        </Button>
      )}
      {asking === 'hand-over' && (
        <Ask
          title={words.handOverTitle}
          text={words.handOverText}
          action={words.handOver}
          hasReason
          onDo={async (reason) => {
            await change('POST', `${path}/role`, { role, reason })
            await readTicketAgain()
          }}
          onClose={() => setAsking(undefined)}
        >
          <Choice
            label={words.queue}
            value={role}
            options={others.map(([value, label]) => ({ value, label }))}
            onChoose={(value) => setRole(value as TicketRole)}
          />
        </Ask>
      )}
      {asking === 'close' && (
        <Ask
          title={words.closeTitle}
          text={words.closeText}
          action={words.close}
          onDo={async () => {
            await change('POST', `${path}/close`)
            await readTicketAgain()
            say(words.closed)
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
    </span>
  )
}

/** Facts about ticket and customer, as far as the role may read them. Addresses are masked. */
function Facts({ me, ticket }: { readonly me: Me; readonly ticket: TicketThread['ticket'] }): ReactNode {
  const mayRead = me.mayDo.includes('customers.read')
  const { data: profile } = useQuery({ ...profileQuery(ticket.uid), enabled: mayRead })
  const { about } = ticket
  const rows: readonly (readonly [string, ReactNode])[] = [
    [
      words.uid,
      mayRead ? (
        <Link to="/customers/$uid" params={{ uid: ticket.uid }}>
          {ticket.uid}
        </Link>
      ) : (
        ticket.uid
      ),
    ],
    [words.language, languageOf(ticket.lang)],
    [words.registered, timeOf(ticket.registeredAt)],
    [words.certification, words.certifications[ticket.certification]],
    ...(profile === undefined
      ? []
      : ([
          [words.email, profile.email ?? '–'],
          [words.phone, profile.phone ?? '–'],
          ...(profile.frozen === null ? [] : [[words.frozen, timeOf(profile.frozen.at)] as const]),
        ] as const)),
    [words.number, ticket.id],
    ...(about === null ? [] : ([[words.about, <About key="about" about={about} />]] as const)),
    [words.opened, timeOf(ticket.openedAt)],
    ...(ticket.firstAnswerAt === null ? [] : ([[words.firstAnswer, timeOf(ticket.firstAnswerAt)]] as const)),
    [words.queue, words.roles[ticket.role]],
    [words.assignee, ticket.assignee ?? words.nobody],
  ]
  return (
    <Card title={words.customer}>
      <dl className="card-body ticket-facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt className="fg3">{name}</dt>
            <dd className="tn">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function About({ about: { kind, id, isOwn } }: { readonly about: NonNullable<TicketThread['ticket']['about']> }): ReactNode {
  const name = `${words.abouts[kind]} ${id}`
  return (
    <>
      {kind === 'withdrawal' && isOwn === true ? (
        <Link to="/withdrawals/$id" params={{ id }}>
          {name}
        </Link>
      ) : (
        name
      )}
      {isOwn === false && <Badge tone="danger">{words.notOwn}</Badge>}
      {isOwn === null && kind !== 'code' && <div className="fg3">{words.unknownOwner}</div>}
    </>
  )
}
