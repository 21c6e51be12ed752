import {
  noticeAreas,
  noticeChannels,
  type NoticeKind,
  noticeKinds,
  type WireNotice,
  type WireNoticePreferences,
  type WireNotices,
  type WireNoticesRead,
  type WireNoticeSwitch,
  type WirePush,
  type WirePushTarget,
  type WireUnread,
} from '@candor/core/protocol/wire/notices.ts'
import { z } from 'zod'
import { answers, millis, noContent, nothing, queryInteger, refuse } from '../../http/schema.ts'
import { type Notices, noticesPerPage } from '../../notices/notices.ts'
import type { Push } from '../../notices/push.ts'
import type { App } from '../app.ts'

const kind = z.enum(noticeKinds as readonly [NoticeKind, ...NoticeKind[]])
const channel = z.enum(noticeChannels)
const count = z.int().nonnegative()

const notice = z
  .strictObject({
    number: z.int(),
    kind,
    values: z.record(z.string(), z.string()).meta({ description: 'What the text of the kind names: device, address, market.' }),
    createdAt: millis,
    readAt: millis.exactOptional(),
  })
  .meta({ id: 'Notice' }) satisfies z.ZodType<WireNotice>

export const noticePage = z
  .strictObject({ notices: z.array(notice).readonly(), unread: count, next: z.int().exactOptional() })
  .meta({ id: 'Notices' }) satisfies z.ZodType<WireNotices>

const unreadCount = z.strictObject({ unread: count }).meta({ id: 'Unread' }) satisfies z.ZodType<WireUnread>
const noticesRead = z
  .strictObject({ upTo: z.int().positive(), from: z.int().positive().exactOptional() })
  .meta({ id: 'NoticesRead' }) satisfies z.ZodType<WireNoticesRead>

export const preferences = z
  .strictObject({
    preferences: z.array(z.strictObject({ kind, channels: z.array(channel).readonly() })).readonly(),
    excludedUntil: millis.exactOptional(),
  })
  .meta({ id: 'NoticePreferences' }) satisfies z.ZodType<WireNoticePreferences>

const noticeSwitch = z.strictObject({ kind, channel, isOn: z.boolean() }).meta({ id: 'NoticeSwitch' }) satisfies z.ZodType<WireNoticeSwitch>

export const pushState = z
  .strictObject({ publicKey: z.string(), isOn: z.boolean() })
  .meta({ id: 'PushState' }) satisfies z.ZodType<WirePush>

const pushTarget = z
  .strictObject({
    endpoint: z.string().max(4_096).meta({ description: 'The address that the browser’s push service gave it.' }),
    keys: z.strictObject({ p256dh: z.string().max(200), auth: z.string().max(200) }),
  })
  .meta({ id: 'PushTarget' }) satisfies z.ZodType<WirePushTarget>

const page = z.strictObject({
  before: queryInteger(1, Number.MAX_SAFE_INTEGER).exactOptional(),
  limit: queryInteger(1, noticesPerPage).exactOptional(),
  area: z.enum(noticeAreas).exactOptional(),
})
const noticeNumber = z.strictObject({
  number: z.string().refine((text) => /^[1-9][0-9]{0,14}$/.test(text), refuse('NOT_FOUND')),
})

const tags = ['notices']
const config = { auth: 'session' } as const
/** It locks the account’s row. */
const locking = { auth: 'session', isLocking: true } as const

/** The customer's inbox, the switches of its channels, and push messages to this browser. */
export function noticeRoutes(app: App, notices: Notices, push: Push): void {
  inboxRoutes(app, notices)
  preferenceRoutes(app, notices)
  pushRoutes(app, push)
}

function inboxRoutes(app: App, notices: Notices): void {
  app.get(
    '/notices',
    {
      config,
      schema: {
        tags,
        summary: 'The user’s notices, newest first, of one area or of all',
        querystring: page,
        response: answers(noticePage),
      },
    },
    (request) => notices.list(request.session.account, request.query),
  )

  app.get(
    '/notices/unread',
    { config, schema: { tags, summary: 'How many notices are unread', querystring: nothing, response: answers(unreadCount) } },
    async (request) => ({ unread: await notices.unread(request.session.account) }),
  )

  app.post(
    '/notices/:number/read',
    {
      config,
      schema: { tags, summary: 'Mark one notice as read', params: noticeNumber, querystring: nothing, response: answers(noContent, 204) },
    },
    async (request, reply) => {
      await notices.markRead(request.session.account, Number(request.params.number))
      return reply.code(204).send()
    },
  )

  app.post(
    '/notices/read',
    {
      config,
      schema: {
        ...{ tags, summary: 'Mark all notices up to a number as read, or those from one number to another', querystring: nothing },
        ...{ body: noticesRead, response: answers(unreadCount) },
      },
    },
    async (request) => {
      await notices.markAllRead(request.session.account, request.body.upTo, request.body.from)
      return { unread: await notices.unread(request.session.account) }
    },
  )
}

function preferenceRoutes(app: App, notices: Notices): void {
  app.get(
    '/notices/preferences',
    { config, schema: { tags, summary: 'The channels of each kind of notice', querystring: nothing, response: answers(preferences) } },
    (request) => notices.preferences(request.session.account),
  )

  app.patch(
    '/notices/preferences',
    {
      config,
      schema: {
        ...{ tags, summary: 'Switch one channel of one kind, where it may be switched', querystring: nothing },
        ...{ body: noticeSwitch, response: answers(preferences) },
      },
    },
    (request) => notices.choose(request.session.account, request.body),
  )
}

function pushRoutes(app: App, push: Push): void {
  app.get(
    '/notices/push',
    {
      config,
      schema: {
        ...{ tags, summary: 'The key that a browser needs to subscribe, and whether this session’s browser gets push messages' },
        ...{ querystring: nothing, response: answers(pushState) },
      },
    },
    (request) => push.of(request.session),
  )

  app.put(
    '/notices/push',
    {
      config: locking,
      schema: {
        ...{ tags, summary: 'Send push messages to this browser until its session ends', querystring: nothing },
        ...{ body: pushTarget, response: answers(pushState) },
      },
    },
    (request) => push.subscribe(request.session, request.body),
  )

  app.delete(
    '/notices/push',
    {
      config,
      schema: { tags, summary: 'Send no more push messages to this browser', querystring: nothing, response: answers(noContent, 204) },
    },
    async (request, reply) => {
      await push.unsubscribe(request.session)
      return reply.code(204).send()
    },
  )
}
