import type { Customers } from '../../customers/customers.ts'
import type { Place } from '../../customers/list.ts'
import type { StaffMarks } from '../../customers/marks.ts'
import { noContent } from '../../http/schema.ts'
import type { Staff } from '../../staff/staff.ts'
import { fileMax, fileOf } from '../files.ts'
import { why } from '../schema.ts'
import type { ConsoleScope } from '../scope.ts'
import * as schema from './schema.ts'

export type CustomersDesk = { readonly customers: Customers; readonly marks: StaffMarks }

const fileCost = 40
/** Addresses of eight customers at once, then of one in three seconds. */
const revealCost = 5
const columns = [
  'uid',
  'registered',
  'lastSeen',
  'certification',
  'region',
  'class',
  'tier',
  'frozenSince',
  'isStaff',
  'email',
  'phone',
] as const
const action = 'customers.read'

/** Customers as the staff see them. No route changes terms for one of them. */
export function customerRoutes(scope: ConsoleScope, { customers, marks }: CustomersDesk, staff: Staff): void {
  listRoutes(scope, customers)
  oneRoutes(scope, customers)
  changeRoutes(scope, customers)

  scope.read(
    '/auth/account',
    { action: 'own.read', summary: 'The own customer account', answer: schema.declared },
    async ({ session }) => ({
      declared: (await marks.declared(session.staff)) ?? null,
    }),
  )

  scope.change(
    'POST',
    '/auth/account',
    {
      action: 'own.change',
      summary: 'Declare the own customer account, or that there is none',
      body: schema.declaration,
      answer: noContent,
    },
    async (asked) => {
      staff.sessions.requireFresh(asked.session)
      await marks.declare(asked.body.uid, asked)
    },
  )
}

function listRoutes(scope: ConsoleScope, customers: Customers): void {
  scope.read(
    '/customers',
    { action, summary: 'Customers, the newest first', query: schema.page, answer: schema.customers },
    async ({ query: { before, ...filter } }) => {
      const rows = await customers.list.page({ ...filter, before: placeOf(before) })
      const last = rows.at(-1)
      return { customers: rows, ...(last === undefined ? {} : { next: `${last.createdAt}:${last.uid}` }) }
    },
  )

  scope.read(
    '/customers.csv',
    { action, summary: `The newest ${fileMax} of these customers as a file`, cost: fileCost, query: schema.file, answer: schema.csv },
    async (asked) => {
      const rows = await customers.exported(asked.query, fileMax + 1, asked)
      const lines = rows.map(({ createdAt, lastSeenAt, frozenAt, ...row }) => ({
        ...{ ...row, registered: textOf(createdAt), lastSeen: textOf(lastSeenAt), frozenSince: textOf(frozenAt) },
      }))
      return fileOf(asked.reply, 'customers', { columns, rows: lines })
    },
  )

  scope.read(
    '/customers/search',
    { action, summary: 'Customers by UID, address or order number', cost: 2, query: schema.text, answer: schema.found },
    async (asked) => ({ found: await customers.search(asked.query.q, asked) }),
  )
}

function oneRoutes(scope: ConsoleScope, customers: Customers): void {
  const params = schema.byUid
  scope.read('/customers/:uid', { action, summary: 'One customer, without money', params, answer: schema.profile }, (asked) =>
    customers.profile(asked.params.uid, asked),
  )

  scope.read(
    '/customers/:uid/money',
    { action, summary: 'Balances, orders, positions and loans of a customer', cost: 4, params, answer: schema.money },
    async (asked) => ({ money: await customers.money(asked.params.uid, asked) }),
  )

  scope.read(
    '/customers/:uid/timeline',
    { action, summary: 'Events of a customer, newest first', params, query: schema.timelinePage, answer: schema.timeline },
    (asked) => customers.timeline(asked.params.uid, asked, asked.query.before),
  )
}

function changeRoutes(scope: ConsoleScope, customers: Customers): void {
  const params = schema.byUid
  scope.change(
    'POST',
    '/customers/:uid/contact',
    {
      ...{ action: 'customers.reveal', summary: 'The addresses of a customer in full', cost: revealCost },
      ...{ params, body: why, answer: schema.contact },
    },
    (asked) => customers.reveal(asked.params.uid, asked.body.reason, asked),
  )

  scope.change(
    'POST',
    '/customers/:uid/notes',
    { action: 'customers.note', summary: 'Write a note about a customer', params, body: schema.note, answer: noContent },
    (asked) => customers.note(asked.params.uid, asked.body.text, asked),
  )
}

const textOf = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())

function placeOf(before: string | undefined): Place | undefined {
  const [createdAt, uid] = before?.split(':') ?? []
  return uid === undefined ? undefined : { createdAt: Number(createdAt), uid }
}
