import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { ticketsOpenMax, type WireNewTicket } from '@candor/core/protocol/wire/support/tickets.ts'
import { Deletions } from '../../identity/gates/deletions.ts'
import { identityDb } from '../../identity/tables.ts'
import { outcomes, refused } from '../../identity/test/world.ts'
import { picture } from '../../papers/test/pictures.ts'
import type { Customer } from '../../support/tickets.ts'
import { langs } from '@candor/core/protocol/locales.ts'
import { renderMail } from '../../messages/render.ts'
import { codeIn, consoleWorld, type Member } from './console-world.ts'

const world = consoleWorld()
let sue: Member
let carl: Member
beforeEach(async () => {
  await world().administrators()
  sue = await world().member('support')
  carl = await world().member('compliance')
  for (const member of [sue, carl]) await world().logIn(member)
})

async function customer(): Promise<Customer> {
  const { account } = await world().papers.customer()
  const [row] = await world().rows('select core_user from accounts where id = $1', account)
  return { account, user: Number(row!['core_user']), lang: 'de' }
}

const wish = (more: Partial<WireNewTicket> = {}): WireNewTicket => ({
  ...{ clientId: randomUUID(), topic: 'withdrawal', subject: 'Where is it?', text: 'It has not arrived.' },
  ...more,
})
const words = (text: string) => ({ clientId: randomUUID(), text })
const to = (id: string, what: string): string => `/support/tickets/${id}/${what}`
const send = async (member: Member, path: string, body?: object): Promise<string> => codeIn(await member.browser.send('POST', path, body))

test('SUPPORT-TICKET-001: a ticket goes back and forth, is closed and opened again', async () => {
  const who = await customer()
  const { tickets } = world().tickets
  const { ticket, messages } = await tickets.open(who, wish())
  assert.deepEqual([ticket.state, messages.length, messages[0]!.author], ['open', 1, 'customer'])
  const { body } = await sue.browser.send('GET', `/support/tickets/${ticket.id}`)
  assert.deepEqual([body.ticket.subject, body.ticket.lang, body.messages[0].text], ['Where is it?', 'de', 'It has not arrived.'])
  assert.equal(await send(sue, to(ticket.id, 'answers'), words('It is on its way.')), '204')
  const answered = await tickets.thread(who.account, ticket.id)
  assert.deepEqual([answered.ticket.state, answered.ticket.unread, answered.messages[1]!.author], ['waiting', 1, 'support'])
  assert.equal(answered.readBySupport, answered.messages[1]!.number)
  await tickets.read(who, ticket.id, Number.MAX_SAFE_INTEGER)
  assert.equal((await tickets.list(who.account)).unread, 0)
  assert.equal((await tickets.write(who, ticket.id, words('Thank you'))).ticket.state, 'open')
  assert.equal(await send(sue, to(ticket.id, 'close')), '204')
  await assert.rejects(tickets.write(who, ticket.id, words('One more thing')), refused('TICKET_CLOSED'))
  const again = await tickets.reopen(who, ticket.id)
  assert.deepEqual([again.ticket.state, again.messages.at(-1)!.event], ['open', 'reopened'])
  assert.equal((await tickets.close(who, ticket.id)).ticket.state, 'closed')
})

test('SUPPORT-TICKET-005: nobody writes in a closed ticket, which is opened again within thirty days', async () => {
  const who = await customer()
  const { tickets } = world().tickets
  const { ticket } = await tickets.open(who, wish())
  await tickets.close(who, ticket.id)
  assert.equal(await send(sue, to(ticket.id, 'answers'), words('Too late')), '409 TICKET_CLOSED')
  world().pass(31 * 86_400_000)
  await assert.rejects(tickets.reopen(who, ticket.id), refused('TICKET_CLOSED'))
  for (const member of [sue, carl]) await world().logIn(member)
})

test('SUPPORT-TICKET-002: a ticket of somebody else is none, for everything that can be done with it', async () => {
  const [alice, bob] = [await customer(), await customer()]
  const { tickets, pictures } = world().tickets
  const { ticket } = await tickets.open(alice, wish())
  for (const id of [ticket.id, '2222-2222-2222'])
    for (const attempt of [
      () => tickets.thread(bob.account, id),
      () => tickets.write(bob, id, words('mine')),
      () => tickets.read(bob, id, 1),
      () => tickets.close(bob, id),
      () => tickets.reopen(bob, id),
    ])
      await assert.rejects(attempt, refused('NOT_FOUND'))
  const { id } = await pictures.add(alice.account, await picture(300, 200))
  await assert.rejects(pictures.own(bob.account, id), refused('NOT_FOUND'))
  await assert.rejects(tickets.open(bob, wish({ images: [id] })), refused('FIELD_INVALID'))
  assert.equal((await tickets.list(bob.account)).tickets.length, 0)
  assert.equal((await pictures.own(alice.account, id)).subarray(0, 3).toString('hex'), 'ffd8ff')
})

test('SUPPORT-TICKET-003: a repeat writes nothing twice, also in parallel, and another text with its id is refused', async () => {
  const who = await customer()
  const { tickets } = world().tickets
  const asked = wish()
  const threads = await Promise.all([1, 2, 3].map(() => tickets.open(who, asked)))
  assert.equal(new Set(threads.map(({ ticket }) => ticket.id)).size, 1)
  await assert.rejects(tickets.open(who, { ...asked, text: 'Something else' }), refused('CLIENT_ID_REUSED'))
  const { id } = threads[0]!.ticket
  const message = words('Hello?')
  await Promise.all([1, 2, 3].map(() => tickets.write(who, id, message)))
  await assert.rejects(tickets.write(who, id, { ...message, text: 'Goodbye' }), refused('CLIENT_ID_REUSED'))
  const answer = words('Hello!')
  for (let at = 0; at < 2; at++) assert.equal(await send(sue, to(id, 'answers'), answer), '204')
  const { messages } = await tickets.thread(who.account, id)
  assert.deepEqual(
    messages.map(({ text }) => text),
    ['It has not arrived.', 'Hello?', 'Hello!'],
  )
})

test('SUPPORT-TICKET-004: open tickets and messages of an hour have a limit, also with many requests at once', async () => {
  const who = await customer()
  const { tickets } = world().tickets
  const tried = await outcomes(Array.from({ length: 8 }, () => tickets.open(who, wish())))
  assert.equal(tried.filter((one) => one === 'done').length, ticketsOpenMax)
  assert.ok(tried.every((one) => one === 'done' || one === 'TICKETS_OPEN_LIMIT'))
  const { id } = (await tickets.list(who.account)).tickets[0]!
  const written = await outcomes(Array.from({ length: 40 }, (_, at) => tickets.write(who, id, words(`message ${at}`))))
  assert.equal(written.filter((one) => one === 'done').length, 40 - ticketsOpenMax)
  assert.ok(written.every((one) => one === 'done' || one === 'RATE_LIMITED'))
  world().pass(3_600_001)
  await tickets.write(who, id, words('an hour later'))
  const turns: string[] = []
  for (let turn = 0; turn < 12; turn++) {
    await tickets.close(who, id)
    turns.push(...(await outcomes([tickets.reopen(who, id)])))
  }
  assert.deepEqual(turns, [...Array.from({ length: 10 }, () => 'done'), 'RATE_LIMITED', 'RATE_LIMITED'])
})

test('SUPPORT-TICKET-006: messages stay as they were, until the account of their customer is erased', async () => {
  const who = await customer()
  const { tickets, pictures } = world().tickets
  const image = await pictures.add(who.account, await picture(300, 200))
  const { ticket } = await tickets.open(who, wish({ images: [image.id] }))
  await send(sue, to(ticket.id, 'answers'), words('You get the fee back.'))
  for (const text of [
    "update support_messages set text = 'never' where author = 'member'",
    "update support_messages set text = '' where author = 'customer'",
    'delete from support_messages',
    'truncate support_messages cascade',
  ])
    await assert.rejects(world().rows(text), /only grow/)
  await world().rows(
    `insert into deletions (account, asked_at, due_at, gives_up, session, ip) values ($1, 0, 1, false, gen_random_uuid(), '-')`,
    who.account,
  )
  const { identity, store, clock } = world().papers.world
  const none = { funds: 0, openOrders: 0, algos: 0, positions: 0, loans: 0, claims: 0, options: 0, debts: 0, withdrawals: 0, presales: 0 }
  using deletions = new Deletions({
    ...{ db: identityDb(store), clock, mode: 'sandbox', factors: identity.factors, sessions: identity.sessions, keys: identity.keys },
    ...{ core: { tell: async () => undefined }, owners: identity.owners, holdingsOf: async () => none },
    onFault: (cause) => assert.fail(String(cause)),
  })
  await deletions.finish()
  const rows = await world().rows('select author, text from support_messages where account = $1 order by number', who.account)
  assert.deepEqual(rows, [
    { author: 'customer', text: '' },
    { author: 'member', text: 'You get the fee back.' },
  ])
  const [left] = await world().rows('select subject, state from support_tickets where code = $1', ticket.id)
  assert.deepEqual(left, { subject: '', state: 'closed' })
  assert.deepEqual(await world().rows('select id from support_images where account = $1', who.account), [])
  world().pass(2 * 3_600_000)
  const filesBefore = world().papers.objects.files.size
  await world().papers.office.forget()
  assert.ok(world().papers.objects.files.size < filesBefore)
  for (const member of [sue, carl]) await world().logIn(member)
})

test('SUPPORT-TICKET-007: the staff see whether a named withdrawal is this customer’s', async () => {
  const [alice, bob] = [await customer(), await customer()]
  await world().rows(
    `insert into core_withdrawals (id, user_id, asset, network, amount, fee, destination, people, state, requested_at_ms)
     values (4711, $1, 'USDT', 2, 10, 1, 1, 1, 'requested', 0)`,
    alice.user,
  )
  const seen = async (who: Customer, kind: 'withdrawal' | 'order', id: string): Promise<unknown> => {
    const { ticket } = await world().tickets.tickets.open(who, wish({ about: { kind, id } }))
    return (await sue.browser.send('GET', `/support/tickets/${ticket.id}`)).body.ticket.about
  }
  assert.deepEqual(await seen(alice, 'withdrawal', '4711'), { kind: 'withdrawal', id: '4711', isOwn: true })
  assert.deepEqual(await seen(bob, 'withdrawal', '4711'), { kind: 'withdrawal', id: '4711', isOwn: false })
  assert.deepEqual(await seen(bob, 'order', '12'), { kind: 'order', id: '12', isOwn: null })
})

test('SUPPORT-TEXT-002: no member asks for a secret, not by a text for answers either', async () => {
  const { ticket } = await world().tickets.tickets.open(await customer(), wish())
  const bad = 'Please send me the code from your phone.'
  assert.equal(await send(sue, to(ticket.id, 'answers'), words(bad)), '400 ASKS_FOR_SECRET')
  assert.equal(await send(sue, '/support/answers', { lang: 'en', title: 'Check', text: bad }), '400 ASKS_FOR_SECRET')
})

test('SUPPORT-NOTICE-001: an answer makes one notice, and none while the customer looks and reads', async () => {
  const who = await customer()
  const { tickets, office } = world().tickets
  const { ticket } = await tickets.open(who, wish({ subject: 'Hello' }))
  const notices = async (): Promise<readonly object[]> =>
    world().rows(`select kind, data from notices where account = $1 and kind = 'support-answered' order by number`, who.account)
  await send(sue, to(ticket.id, 'answers'), words('One'))
  await send(sue, to(ticket.id, 'answers'), words('Two'))
  assert.deepEqual(await notices(), [{ kind: 'support-answered', data: { ticket: ticket.id } }])
  const sends = await world().rows(
    'select channel from notice_sends s join notices n on n.number = s.notice where n.account = $1',
    who.account,
  )
  assert.deepEqual(sends, [{ channel: 'mail' }])
  await tickets.read(who, ticket.id, Number.MAX_SAFE_INTEGER)
  await send(sue, to(ticket.id, 'answers'), words('Three'))
  world().pass(30_000)
  await office.remind()
  assert.equal((await notices()).length, 1)
  world().pass(40_000)
  await office.remind()
  await office.remind()
  assert.equal((await notices()).length, 2)
})

test('SUPPORT-NOTICE-002: the mail of an answer has the ticket’s number and nothing that anybody typed', async () => {
  const who = await customer()
  const { ticket } = await world().tickets.tickets.open(who, wish({ subject: 'Hi Bcc: all@example.com', text: 'typed by me' }))
  await send(sue, to(ticket.id, 'answers'), words('typed by her\nBcc: all@example.com'))
  const [notice] = await world().rows(`select data from notices where account = $1 and kind = 'support-answered'`, who.account)
  assert.deepEqual(notice!['data'], { ticket: ticket.id })
  const message = { channel: 'email', to: 'a@example.com', template: 'support-answered' } as const
  for (const lang of langs) {
    const mail = renderMail({ ...message, lang, values: { ...notice!['data'], time: '0' } })
    assert.ok(mail.text.includes(ticket.id), lang)
    assert.doesNotMatch(`${mail.subject} ${mail.text}`, /typed|Bcc|\{/, lang)
  }
})

test('SUPPORT-DESK-001: somebody is there only while the page of a member who may answer is open', async () => {
  const { queue } = world().tickets
  const isAtWork = async (): Promise<boolean> => (await queue.desk()).isAtWork
  assert.equal(await isAtWork(), false)
  assert.equal(codeIn(await carl.browser.send('POST', '/support/presence')), '403 FORBIDDEN')
  await sue.browser.send('POST', '/support/presence')
  assert.equal(await isAtWork(), true)
  world().pass(61_000)
  assert.equal(await isAtWork(), false)
  await sue.browser.send('POST', '/support/presence')
  await sue.browser.send('DELETE', '/support/presence')
  assert.equal(await isAtWork(), false)
  await world().rows('update support_tickets set first_answer_at = null')
  const minutes = [1, 2, 3, 4, 50]
  for (const [at, wait] of minutes.entries()) {
    assert.equal((await queue.desk()).usualMinutes, null, `after ${at} answers`)
    const { ticket } = await world().tickets.tickets.open(await customer(), wish())
    world().pass(wait * 60_000)
    await world().logIn(sue)
    await send(sue, to(ticket.id, 'answers'), words('Here'))
  }
  const { usualMinutes } = await queue.desk()
  assert.ok(usualMinutes !== null && usualMinutes >= 4 && usualMinutes < 50, String(usualMinutes))
})

test('SUPPORT-STAFF-001: notes, hand-overs and names of members stay with the staff', async () => {
  const who = await customer()
  const { tickets } = world().tickets
  const { ticket } = await tickets.open(who, wish())
  assert.equal(await send(carl, to(ticket.id, 'answers'), words('No')), '403 FORBIDDEN')
  assert.equal(await send(sue, to(ticket.id, 'notes'), words('looks like a stolen account')), '204')
  assert.equal(await send(sue, to(ticket.id, 'role'), { role: 'compliance', reason: 'may be stolen' }), '204')
  assert.equal(await send(carl, to(ticket.id, 'assignment'), { isMine: true }), '204')
  assert.equal(await send(carl, to(ticket.id, 'notes'), words('papers are fine')), '204')
  await send(sue, to(ticket.id, 'answers'), words('We look into it.'))
  const seen = JSON.stringify([await tickets.thread(who.account, ticket.id), await tickets.list(who.account)])
  for (const hidden of ['stolen', 'papers are fine', 'compliance', '@staff', sue.id, carl.id])
    assert.equal(seen.includes(hidden), false, hidden)
  const { body } = await carl.browser.send('GET', `/support/tickets/${ticket.id}`)
  assert.deepEqual(
    body.messages.map(({ author, by }: { author: string; by: string }) => [author, by]),
    [
      ['customer', null],
      ['note', sue.email],
      ['note', carl.email],
      ['member', sue.email],
    ],
  )
  assert.deepEqual([body.ticket.role, body.ticket.assignee], ['compliance', carl.email])
})

test('SUPPORT-STAFF-002: looks, pictures and actions are in the log', async () => {
  const who = await customer()
  const { tickets, pictures } = world().tickets
  const image = await pictures.add(who.account, await picture(300, 200))
  const { ticket, messages } = await tickets.open(who, wish({ images: [image.id] }))
  assert.deepEqual(messages[0]!.images, [image])
  for (let at = 0; at < 3; at++) await sue.browser.send('GET', `/support/tickets/${ticket.id}`)
  const shown = await sue.browser.send('GET', `/support/images/${image.id}`)
  assert.deepEqual([shown.status, shown.headers['content-type']], [200, 'image/jpeg'])
  assert.equal(shown.raw.equals(await pictures.own(who.account, image.id)), false, 'the viewer’s name is in it')
  await send(sue, to(ticket.id, 'close'))
  const log = await world().rows('select action, after from staff_log where subject = $1 order by id', ticket.id)
  assert.deepEqual(log, [
    { action: 'ticket-opened', after: null },
    { action: 'ticket-picture-seen', after: { picture: image.id } },
    { action: 'ticket-closed', after: null },
  ])
})

test('SUPPORT-STAFF-003: who waits longest comes first, and each filter keeps what it says', async () => {
  await world().rows("update support_tickets set state = 'closed', waiting_since = null, closed_at = 1")
  const [first, second] = [await customer(), await customer()]
  const { tickets } = world().tickets
  const old = await tickets.open(first, wish({ topic: 'deposit' }))
  world().pass(2 * 3_600_000)
  await world().logIn(sue)
  const fresh = await tickets.open({ ...second, lang: 'fr' }, wish())
  await send(sue, to(fresh.ticket.id, 'assignment'), { isMine: true })
  const ids = async (query: string): Promise<readonly string[]> =>
    (await sue.browser.send('GET', `/support/tickets?${query}`)).body.tickets.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids('state=open'), [old.ticket.id, fresh.ticket.id])
  assert.deepEqual(await ids('state=open&topic=deposit'), [old.ticket.id])
  assert.deepEqual(await ids('state=open&lang=fr'), [fresh.ticket.id])
  assert.deepEqual(await ids('hours=1'), [old.ticket.id])
  assert.deepEqual(await ids('mine=1&state=open'), [fresh.ticket.id])
  assert.deepEqual(await ids('role=compliance&state=open'), [])
  const { body } = await sue.browser.send('GET', '/support/counts')
  assert.deepEqual([body.waiting, body.unread], [2, 2])
  const all = await sue.browser.send('GET', '/support/tickets')
  if (all.body.next !== undefined) assert.equal((await ids(`after=${all.body.next}`)).includes(all.body.tickets[0].id), false)
})

test('SUPPORT-STAFF-004: each change of a text for answers is in the log with both texts', async () => {
  const text = { lang: 'de', title: 'Gruß', text: 'Guten Tag,\nwir sehen nach.' }
  const { body } = await sue.browser.send('POST', '/support/answers', text)
  assert.equal(await send(sue, `/support/answers/${body.id}`, { ...text, title: 'Begrüßung' }), '204')
  const { answers } = (await sue.browser.send('GET', '/support/answers')).body
  assert.deepEqual([answers[0].title, answers[0].text, answers[0].changedBy], ['Begrüßung', text.text, sue.email])
  assert.equal(codeIn(await sue.browser.send('DELETE', `/support/answers/${body.id}`)), '204')
  assert.equal(codeIn(await sue.browser.send('DELETE', `/support/answers/${body.id}`)), '404 NOT_FOUND')
  const log = await world().rows(`select before, after from staff_log where action = 'answer-changed' order by id`)
  assert.deepEqual(
    log.map((one) => [one['before']?.title, one['after']?.title]),
    [
      [undefined, 'Gruß'],
      ['Gruß', 'Begrüßung'],
      ['Begrüßung', undefined],
    ],
  )
})

test('SUPPORT-STAFF-005: a member answers no ticket of the own account', async () => {
  const who = await customer()
  const { ticket } = await world().tickets.tickets.open(who, wish())
  const [{ uid }] = (await world().rows('select uid from accounts where id = $1', who.account)) as [{ uid: string }]
  assert.equal(await send(sue, '/auth/account', { uid }), '204')
  for (const [what, body] of [
    ['answers', words('Granted')],
    ['close', undefined],
    ['assignment', { isMine: true }],
  ] as const)
    assert.equal(await send(sue, to(ticket.id, what), body), '403 FORBIDDEN', what)
  await send(carl, to(ticket.id, 'notes'), words('Is she one of us?'))
  assert.equal(codeIn(await sue.browser.send('GET', `/support/tickets/${ticket.id}`)), '403 FORBIDDEN')
})

test('SUPPORT-PICTURE-002: pictures go when their time is over', async () => {
  const who = await customer()
  const { tickets, pictures } = world().tickets
  const [sent, unsent] = [
    await pictures.add(who.account, await picture(300, 200)),
    await pictures.add(who.account, await picture(200, 300)),
  ]
  const { ticket } = await tickets.open(who, wish({ images: [sent.id] }))
  world().pass(2 * 86_400_000)
  await pictures.forget()
  await assert.rejects(pictures.own(who.account, unsent.id), refused('NOT_FOUND'))
  await tickets.close(who, ticket.id)
  world().pass(179 * 86_400_000)
  await pictures.forget()
  await pictures.own(who.account, sent.id)
  world().pass(2 * 86_400_000)
  await pictures.forget()
  await assert.rejects(pictures.own(who.account, sent.id), refused('NOT_FOUND'))
})
