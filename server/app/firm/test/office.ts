import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Applications } from '../../../firms/applications.ts'
import { Openings } from '../../../firms/openings.ts'
import { firmDb } from '../../../firms/tables.ts'
import { WebSocket } from 'ws'
import type { TestExchange, TestUser } from '../../../main/test/exchange.ts'

type Exchange = Pick<TestExchange, 'store' | 'link'>

/** Gives a person a passkey, so that they have a second factor. */
export async function trust({ store }: Pick<TestExchange, 'store'>, uid: string): Promise<void> {
  await store.pool.query(
    `insert into passkeys (id, account, credential, public_key, counter, transports, label, is_synced, created_at)
     select gen_random_uuid(), id, uid, '', 0, '{}', 'phone', false, 0 from accounts where uid = $1`,
    [uid],
  )
}

/** A member of the staff accepts an application, as in the console. */
export async function acceptFirm({ store, link }: Exchange, firm: string): Promise<void> {
  const staff = randomUUID()
  // Two administrators approve each member otherwise.
  await store.pool.query('alter table staff disable trigger user')
  await store.pool.query(
    `insert into staff (id, email, name, role, state, password, created_at)
     values ($1::uuid, $1::text || '@staff.example', 'a', 'compliance', 'active', 'a', 0)`,
    [staff],
  )
  await store.pool.query('alter table staff enable trigger user')
  const onFault = (cause: unknown): never => {
    throw cause
  }
  const parts = { db: firmDb(store), clock: Date.now, submit: link.submit, onFault }
  const log = { write: () => Promise.resolve() }
  const applications = new Applications({ ...parts, openings: new Openings(parts), log, unserved: new Set() })
  const actor = { staff, visitor: { ip: '127.0.0.1', userAgent: '' } }
  await applications.decide(firm, { isAccepted: true, why: 'The register confirms it.' }, actor)
}

/** The login of a person has just proved itself. */
export async function prove({ store }: Pick<TestExchange, 'store'>, uid: string): Promise<void> {
  const own = '(select id from accounts where uid = $1)'
  await store.pool.query(`update sessions set proven_at = $2 where account = ${own}`, [uid, Date.now()])
}

/** A socket of a member for an account of a firm, which follows the account's events. */
export async function follow(
  { url }: Pick<TestExchange, 'url'>,
  { cookie }: TestUser,
  uid: string,
): Promise<{ readonly socket: WebSocket; readonly closed: Promise<number> }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/app/v1/stream?account=${uid}`, { headers: { cookie, origin: url } })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  socket.send(JSON.stringify({ method: 'SUBSCRIBE', params: ['user'], id: 1 }))
  await new Promise((resolve) => socket.once('message', resolve))
  return { socket, closed }
}

type Answer = { readonly status: number; readonly body: any }
/** `acting`: UID of the account of a firm for which the user acts; several are several headers. */
type Sent = [user: TestUser, method: string, path: string, body?: unknown, acting?: string | readonly string[]]

/** Requests of users in the app: `done` must succeed and gives the body, `refusal` gives the code of the answer or its status. */
export type Requests = {
  send(...request: Sent): Promise<Answer>
  done(...request: Sent): Promise<any>
  refusal(...request: Sent): Promise<string>
}

/** Asks once a second for as long as the answer is that there were too many requests. */
export async function patiently<T extends { readonly status: number }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 429) return answer
    await setTimeout(1000)
  }
}

export function requestsTo({ url }: Pick<TestExchange, 'url'>): Requests {
  const send = async (...[user, method, path, body, acting = []]: Sent): Promise<Answer> => {
    const headers: [string, string][] = [
      ['cookie', user.cookie],
      ['origin', url],
    ]
    if (body !== undefined) headers.push(['content-type', 'application/json'])
    for (const uid of [acting].flat()) headers.push(['x-candor-account', uid])
    const response = await fetch(`${url}/app/v1${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    send,
    done: async (...request) => {
      const { status, body } = await patiently(() => send(...request))
      assert.ok(status < 300, `${request[1]} ${request[2]}: ${status} ${JSON.stringify(body)}`)
      return body
    },
    refusal: async (...request) => {
      const { status, body } = await send(...request)
      return body?.code ?? String(status)
    },
  }
}
