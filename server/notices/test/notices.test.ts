import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  noticeAreas,
  type NoticeKind,
  noticeChannels,
  noticeKinds,
  noticesKept,
  type NoticeTerms,
  noticeTerms,
} from '@candor/core/protocol/wire/notices.ts'
import { type People, startPeople } from '../../identity/test/people.ts'
import { refused } from '../../identity/test/world.ts'
import { languages } from '../../messages/render.ts'
import { addNotice } from '../../store/notices.ts'
import { Notices } from '../notices.ts'

let people: People
let notices: Notices
before(async () => {
  people = await startPeople()
  notices = new Notices(people.store, people.clock)
})
after(() => people[Symbol.asyncDispose]())

let events = 0
const tell = (account: string, kind: NoticeKind = 'new-device', event = `event-${++events}`, values = {}) =>
  addNotice(people.db, { account, kind, values, event, at: people.clock() })
const sends = (account: string) =>
  people.rows('select channel, kind from notice_sends s join notices n on n.number = s.notice where account = $1 order by 2, 1', account)

test('NOTICE-KIND-001: each kind has an area, an inbox entry, and a text of its own in every language', () => {
  for (const kind of noticeKinds) {
    const terms: NoticeTerms = noticeTerms[kind]
    assert.ok(terms.inbox !== undefined && noticeAreas.includes(terms.area))
    for (const { templates } of Object.values(languages)) {
      const { subject, body, sms } = templates[kind]
      // It is shown on locked screens.
      assert.ok(subject !== '' && body.length > 0 && sms !== '' && !subject.includes('{'), `${kind}: ${subject}`)
    }
  }
})

test('NOTICE-KIND-002: security and account notices always reach the inbox and the addresses; only push can be switched off', async () => {
  for (const kind of noticeKinds) {
    const { area, push, ...fixed }: NoticeTerms = noticeTerms[kind]
    // Answers of support, and requests of firms, say nothing about the account, and wait in the inbox.
    if (area === 'trading' || area === 'funds' || kind === 'support-answered' || kind.startsWith('firm-')) continue
    assert.equal(push, 'on')
    assert.deepEqual(fixed, { inbox: 'always', mail: 'always', sms: 'always' })
  }
  const { id } = await people.person()
  for (const channel of ['inbox', 'mail', 'sms'] as const)
    await assert.rejects(notices.choose(id, { kind: 'key-used', channel, isOn: false }), refused('NOTICE_FIXED'))
  const { preferences } = await notices.choose(id, { kind: 'key-used', channel: 'push', isOn: false })
  assert.deepEqual(preferences.find(({ kind }) => kind === 'key-used')?.channels, ['inbox', 'mail', 'sms'])
  await tell(id, 'key-used')
  assert.equal(await notices.unread(id), 1)
  assert.deepEqual(await sends(id), [
    { channel: 'mail', kind: 'key-used' },
    { channel: 'sms', kind: 'key-used' },
  ])
})

test('NOTICE-INBOX-001: the inbox shows the owner’s notices, newest first, 50 a page, and nobody else’s', async () => {
  const [one, other] = [await people.person(), await people.person()]
  for (let index = 0; index < 70; index++) await tell(one.id, 'new-device', `n${index}`, { ip: String(index) })
  await tell(other.id)
  const first = await notices.list(one.id)
  const second = await notices.list(one.id, { before: first.next! })
  assert.deepEqual([first.notices.length, second.notices.length, second.next, first.unread], [50, 20, undefined, 70])
  const ips = [...first.notices, ...second.notices].map(({ values }) => values['ip'])
  assert.deepEqual(
    ips,
    Array.from({ length: 70 }, (_, index) => String(69 - index)),
  )
  assert.equal((await notices.list(one.id, { limit: 1 })).notices.length, 1)
  assert.equal((await notices.list(other.id)).notices.length, 1)
})

test('NOTICE-INBOX-004: the inbox can show one area alone, page by page, and counts the unread notices of all', async () => {
  const { id } = await people.person()
  for (const kind of ['order-filled', 'new-device', 'second-settled', 'key-used', 'order-ended'] as const) await tell(id, kind)
  const trading = await notices.list(id, { area: 'trading', limit: 2 })
  assert.deepEqual([trading.notices.map(({ kind }) => kind), trading.unread], [['order-ended', 'second-settled'], 5])
  const more = await notices.list(id, { area: 'trading', before: trading.next! })
  assert.deepEqual([more.notices.map(({ kind }) => kind), more.next], [['order-filled'], undefined])
  assert.deepEqual((await notices.list(id, { area: 'funds' })).notices, [])
})

test('NOTICE-INBOX-002: one notice, all up to a given one, or those between two can be marked as read; later ones stay unread', async () => {
  const [one, other] = [await people.person(), await people.person()]
  for (let index = 0; index < 5; index++) await tell(one.id)
  await tell(other.id)
  const [newest, second] = (await notices.list(one.id)).notices
  await notices.markRead(one.id, newest!.number)
  people.pass(1_000)
  await notices.markRead(one.id, newest!.number)
  const after = await notices.list(one.id)
  assert.deepEqual([after.unread, after.notices[0]?.readAt], [4, people.clock() - 1_000], 'the first time counts')
  await assert.rejects(notices.markRead(other.id, second!.number), refused('NOT_FOUND'))
  await tell(one.id)
  await notices.markAllRead(one.id, newest!.number)
  assert.equal(await notices.unread(one.id), 1)
  assert.equal(await notices.unread(other.id), 1)
  for (let index = 0; index < 3; index++) await tell(one.id)
  const [, shown] = (await notices.list(one.id)).notices
  await notices.markAllRead(one.id, shown!.number, shown!.number - 1)
  const left = (await notices.list(one.id)).notices.filter(({ readAt }) => readAt === undefined)
  assert.deepEqual([left.length, left.some(({ number }) => number === shown!.number)], [2, false])
})

test('NOTICE-INBOX-003: the newest 500 notices of each customer are kept', async () => {
  const [one, other] = [await people.person(), await people.person()]
  await tell(other.id)
  for (let index = 0; index < noticesKept + 3; index++) await tell(one.id, 'new-device', `k${index}`)
  const kept = await people.rows('select event_id from notices where account = $1 order by number', one.id)
  assert.deepEqual([kept.length, kept[0], kept.at(-1)], [noticesKept, { event_id: 'k3' }, { event_id: `k${noticesKept + 2}` }])
  assert.equal(await notices.unread(other.id), 1)
})

test('NOTICE-INBOX-003: a thief who makes any number of fills pushes no other notice out of the inbox', async () => {
  const { id } = await people.person()
  await tell(id, 'new-device', 'the thief')
  await tell(id, 'key-widened', 'their key')
  for (let index = 0; index < noticesKept + 3; index++) await tell(id, 'order-filled', `fill-${index}`)
  const kept = await people.rows('select event_id from notices where account = $1 order by number', id)
  assert.deepEqual([kept.length, kept[0]?.['event_id'], kept[1]?.['event_id']], [noticesKept + 2, 'the thief', 'their key'])
  assert.equal(kept[2]?.['event_id'], 'fill-3')
})

test('NOTICE-INBOX-003: an event makes one notice, however often it is added', async () => {
  const { id } = await people.person()
  await Promise.all(Array.from({ length: 8 }, () => tell(id, 'futures-liquidated', 'the same')))
  assert.equal(await notices.unread(id), 1)
  assert.equal((await sends(id)).length, 1)
})

test('NOTICE-SWITCH-001: a fixed channel can’t be switched, and a switch counts for events from then on', async () => {
  const { id } = await people.person()
  const { preferences } = await notices.preferences(id)
  assert.deepEqual(
    preferences.map(({ kind }) => kind),
    noticeKinds,
  )
  for (const { kind, channels } of preferences) {
    const terms: NoticeTerms = noticeTerms[kind]
    assert.deepEqual(
      channels,
      noticeChannels.filter((channel) => terms[channel] === 'always' || terms[channel] === 'on'),
    )
  }
  await assert.rejects(notices.choose(id, { kind: 'order-filled', channel: 'mail', isOn: true }), refused('NOTICE_FIXED'))
  await notices.choose(id, { kind: 'order-filled', channel: 'inbox', isOn: false })
  await tell(id, 'order-filled')
  assert.deepEqual((await notices.list(id)).notices, [])
  await notices.choose(id, { kind: 'order-filled', channel: 'inbox', isOn: true })
  await notices.choose(id, { kind: 'margin-warning', channel: 'mail', isOn: false })
  await notices.choose(id, { kind: 'margin-warning', channel: 'sms', isOn: true })
  await notices.choose(id, { kind: 'margin-warning', channel: 'sms', isOn: false })
  await notices.choose(id, { kind: 'margin-warning', channel: 'sms', isOn: true })
  await tell(id, 'order-filled')
  await tell(id, 'margin-warning')
  assert.deepEqual(
    (await notices.list(id)).notices.map(({ kind }) => kind),
    ['margin-warning', 'order-filled'],
  )
  assert.deepEqual(await sends(id), [{ channel: 'sms', kind: 'margin-warning' }])
})

test('USER-LIMIT-015: a self-exclusion switches off notices that lead back to products until its end, and no others', async () => {
  const { id } = await people.person()
  const begin = people.clock()
  const rest = (cause: string, until: number) =>
    people.rows('insert into own_rests (account, cause, at, until) values ($1, $2, $3, $4)', id, cause, begin, until)
  const inbox = async () => (await notices.list(id, { limit: noticesKept })).notices.map(({ kind }) => kind)
  await rest('cool-off', begin + 20_000)
  assert.equal('excludedUntil' in (await notices.preferences(id)), false)
  await tell(id, 'order-filled')
  assert.deepEqual(await inbox(), ['order-filled'])

  await rest('self-exclusion', begin + 10_000)
  assert.equal((await notices.preferences(id)).excludedUntil, begin + 10_000)
  const inviting = noticeKinds.filter((kind) => (noticeTerms[kind] as NoticeTerms).invites)
  for (const kind of noticeKinds) await tell(id, kind)
  const told = new Set(await inbox())
  assert.deepEqual(
    inviting.filter((kind) => kind !== 'order-filled' && told.has(kind)),
    [],
  )
  assert.equal((await inbox()).filter((kind) => kind === 'order-filled').length, 1)
  for (const kind of noticeKinds) assert.ok(told.has(kind) || inviting.includes(kind), kind)
  const sent = (await sends(id)) as readonly { readonly kind: NoticeKind }[]
  assert.ok(sent.length > 0 && sent.every(({ kind }) => !inviting.includes(kind)))

  people.pass(10_000)
  assert.equal('excludedUntil' in (await notices.preferences(id)), false)
  await tell(id, 'second-settled')
  assert.equal((await inbox())[0], 'second-settled')
})
