import { noContent } from '../../http/schema.ts'
import type { Clock } from '../../ports.ts'
import type { SupportDesk } from '../../support/desk.ts'
import { byNumber, jpeg, proposed } from '../schema.ts'
import type { ConsoleScope } from '../scope.ts'
import * as schema from './schema.ts'

/** Tickets of customers: the queue, threads, answers, and the texts for them. */
export function supportRoutes(scope: ConsoleScope, desk: SupportDesk, clock: Clock): void {
  readRoutes(scope, desk, clock)
  threadRoutes(scope, desk)
  deskRoutes(scope, desk)
}

function readRoutes(scope: ConsoleScope, { queue, office, mark }: SupportDesk, clock: Clock): void {
  const action = 'support.read'
  scope.read(
    '/support/tickets',
    { action, summary: 'Tickets, those that wait longest first', query: schema.page, answer: schema.queue },
    async ({ query: { after, hours, mine, ...filter }, session }) => {
      const [at, id] = after?.split(':') ?? []
      const place = id === undefined ? undefined : { at: Number(at), id }
      return queue.page({ ...filter, hours, assignee: mine === undefined ? undefined : session.staff, after: place })
    },
  )

  scope.read('/support/counts', { action, summary: 'How many tickets wait, and who is at work', answer: schema.counts }, () =>
    queue.counts(),
  )

  scope.read(
    '/support/tickets/:code',
    { action, summary: 'A ticket with its messages and notes', cost: 2, params: schema.byCode, answer: schema.thread },
    (asked) => office.thread(asked.params.code, asked),
  )

  scope.read(
    '/support/images/:id',
    { action: 'support.picture', summary: 'A picture of a ticket, with the viewer’s name in it', params: schema.byImage, answer: jpeg },
    async (asked) => {
      const plain = await office.picture(asked.params.id, asked)
      const time = new Date(clock()).toISOString().slice(0, 16).replace('T', ' ')
      const marked = await mark(plain, `${asked.session.email} ${time}`, asked.session.staff)
      // Never shown as a page of this origin, whatever it contains.
      asked.reply.header('content-type', 'image/jpeg').header('content-disposition', 'attachment; filename="picture.jpg"')
      asked.reply.header('content-security-policy', "default-src 'none'; sandbox")
      return marked
    },
  )
}

function threadRoutes(scope: ConsoleScope, { office }: SupportDesk): void {
  const params = schema.byCode
  const answer = noContent
  scope.change(
    'POST',
    '/support/tickets/:code/answers',
    { action: 'support.answer', summary: 'Answer the customer', params, body: schema.written, answer },
    (asked) => office.answer(asked.params.code, asked.body, asked),
  )

  scope.change(
    'POST',
    '/support/tickets/:code/notes',
    { action: 'support.note', summary: 'Write a note that the customer never sees', params, body: schema.written, answer },
    (asked) => office.note(asked.params.code, asked.body, asked),
  )

  scope.change(
    'POST',
    '/support/tickets/:code/assignment',
    { action: 'support.note', summary: 'Take a ticket, or give it back', params, body: schema.assignment, answer },
    (asked) => office.assign(asked.params.code, asked.body.isMine, asked),
  )

  scope.change(
    'POST',
    '/support/tickets/:code/role',
    { action: 'support.note', summary: 'Hand a ticket over to another role', params, body: schema.handOver, answer },
    (asked) => office.handOver(asked.params.code, asked.body.role, asked.body.reason, asked),
  )

  scope.change('POST', '/support/tickets/:code/close', { action: 'support.answer', summary: 'Close a ticket', params, answer }, (asked) =>
    office.close(asked.params.code, asked),
  )
}

function deskRoutes(scope: ConsoleScope, { queue, canned }: SupportDesk): void {
  const action = 'support.answer'
  const answer = noContent
  scope.change('POST', '/support/presence', { action, summary: 'Say that the page of tickets is open', answer }, ({ session }) =>
    queue.beat(session.staff),
  )

  scope.change('DELETE', '/support/presence', { action, summary: 'Say that the page of tickets was closed', answer }, ({ session }) =>
    queue.leave(session.staff),
  )

  scope.read('/support/answers', { action: 'support.read', summary: 'Texts for answers', answer: schema.answers }, async () => ({
    answers: await canned.all(),
  }))

  scope.change(
    'POST',
    '/support/answers',
    { action, summary: 'Add a text for answers', body: schema.answer, answer: proposed },
    async (asked) => ({ id: await canned.add(asked.body, asked) }),
  )

  scope.change(
    'POST',
    '/support/answers/:id',
    { action, summary: 'Change a text for answers', params: byNumber, body: schema.answer, answer },
    (asked) => canned.change(asked.params.id, asked.body, asked),
  )

  scope.change('DELETE', '/support/answers/:id', { action, summary: 'Remove a text for answers', params: byNumber, answer }, (asked) =>
    canned.remove(asked.params.id, asked),
  )
}
