import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Clock } from '../ports.ts'
import { bodyOf, type DeliveryRow, type WebhookRow } from './rows.ts'
import type { Answer, Sender } from './sender.ts'
import { signatureOf } from './signature.ts'

/** The retry schedule, and when an unreachable webhook is switched off. */
export type DeliveryTimes = {
  /** Delay after the first try; each further delay is three times as long, up to `delayMaxMs`, ±20 %. */
  readonly delayMs: number
  readonly delayMaxMs: number
  readonly giveUpMs: number
  readonly offMs: number
  /** How often the table is checked without a notification. */
  readonly pollMs: number
}

export const deliveryTimes: DeliveryTimes = {
  delayMs: 5_000,
  delayMaxMs: 6 * 3_600_000,
  giveUpMs: 3 * 86_400_000,
  offMs: 3 * 86_400_000,
  pollMs: 5_000,
}

export type DelivererOptions = {
  readonly pool: pg.Pool
  readonly sender: Sender
  /** The secret of a webhook; throws when it can't be decrypted. */
  readonly openSecret: (sealed: Buffer, webhook: string) => string
  readonly log: (line: { readonly message: string; readonly cause: unknown }) => void
  /** Called when a webhook was switched off because nothing could be delivered: its owner must be told. */
  readonly onOff?: () => void
  /** With several followers: whether this is the one that sends. */
  readonly mayWork?: () => boolean
  readonly clock?: Clock
  readonly times?: DeliveryTimes
}

/** Deliveries in flight to one webhook, to all webhooks of one account (so that ten can't crowd out others), and in all. */
const perWebhookMax = 4
const perAccountMax = 8
const inFlightMax = 64
/** Failing webhooks wait for time-outs: they get one try at a time, and never more than half of all slots. */
const failingMax = 32
const failingPerAccountMax = 2
/** Deliveries that may wait for all webhooks of an account; beyond it the oldest are given up, and can be sent again. */
const backlogMax = 10_000
const backlogEveryMs = 60_000
/** Each delay after a failed try is longer than the one before by this factor, and varies by this part in either direction. */
const delayFactor = 3
const delaySpread = 0.2
/** Pause after the table could not be read. */
const faultPauseMs = 1_000

type Due = Pick<DeliveryRow, 'webhook' | 'sequence' | 'event_id' | 'kind' | 'created_at' | 'data' | 'tries' | 'since' | 'next_at'> &
  Pick<WebhookRow, 'id' | 'account' | 'url' | 'secret' | 'old_secret' | 'old_until' | 'failing_since'>

/** The next deliveries of each webhook, those in flight included. A frozen account's wait: the webhook may be a thief's. */
const nextOnes = `
  with recursive busy (webhook) as (
    (select webhook from webhook_deliveries where state = 'waiting' order by webhook limit 1)
    union all
    select (select webhook from webhook_deliveries next where state = 'waiting' and next.webhook > busy.webhook order by webhook limit 1)
    from busy where busy.webhook is not null
  )
  select one.*, webhooks.id, account, url, secret, old_secret, old_until, failing_since
  from busy join webhooks on number = busy.webhook and deleted_at is null and off_at is null and confirmed_at is not null
  join accounts on accounts.id = webhooks.account and accounts.frozen_at is null
  cross join lateral (
    select webhook, sequence, event_id, kind, created_at, data, tries, since, next_at from webhook_deliveries
    where webhook = number and state = 'waiting' order by next_at, sequence limit ${2 * perWebhookMax}
  ) one`

/** The oldest waiting deliveries beyond each account's quota. */
const tooMany = `
  update webhook_deliveries set state = 'failed' where (webhook, sequence) in (
    select webhook, sequence from (
      select webhook, delivery.sequence,
        row_number() over (partition by account order by delivery.created_at desc, webhook, delivery.sequence desc) as place
      from webhook_deliveries delivery join webhooks on number = webhook where state = 'waiting'
    ) waiting where place > $1
  )`

/** Above any turn, so that failing webhooks come after all healthy ones. */
const healthyFirst = 1_000_000

/** Round robin over accounts: the first of each, then the second of each, and so on; within an account in the given order. */
function inTurns(rows: readonly Due[]): readonly Due[] {
  const turns = new Map<string, number>()
  const placed = rows.map((due) => {
    const group = `${due.account} ${due.failing_since === null}`
    const turn = turns.get(group) ?? 0
    turns.set(group, turn + 1)
    return { due, turn }
  })
  const rank = ({ due, turn }: (typeof placed)[number]): number => (due.failing_since === null ? 0 : healthyFirst) + turn
  return placed.sort((a, b) => rank(a) - rank(b)).map(({ due }) => due)
}

/**
 * Sends the deliveries that wait in the table until they arrive or their time is over. A delivery in flight when the process
 * ended still waits in the table: each arrives at least once, always with the same id.
 */
export class Deliverer implements AsyncDisposable {
  readonly #options: DelivererOptions
  readonly #clock: Clock
  readonly #times: DeliveryTimes
  /** By account: deliveries in flight, and how many of them go to failing webhooks. */
  readonly #accounts = new Map<string, { all: number; failing: number }>()
  /** By webhook: the sequences in flight. */
  readonly #underway = new Map<number, Set<number>>()
  /** Deliveries that ended since the table was last read, whose rows in that reading may be stale. */
  readonly #ended = new Set<string>()
  readonly #sends = new Set<Promise<void>>()
  readonly #running: Promise<void>
  #failingUnderway = 0
  #trimmedAt = Number.NEGATIVE_INFINITY
  #isStopping = false
  #isPoked = false
  #wake: (() => void) | undefined

  constructor(options: DelivererOptions) {
    this.#options = options
    this.#clock = options.clock ?? Date.now
    this.#times = options.times ?? deliveryTimes
    this.#running = this.#run()
  }

  /** Called when a new delivery waits. */
  poke(): void {
    this.#isPoked = true
    this.#wake?.()
  }

  /** Deliveries in flight are aborted and tried again at the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true
    this.poke()
    this.#options.sender[Symbol.dispose]()
    await this.#running
    await Promise.all(this.#sends)
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isPoked = false
      try {
        await this.#rest((await this.#start()) - this.#clock())
      } catch (cause) {
        this.#options.log({ message: 'Waiting deliveries cannot be read now, trying again', cause })
        await sleep(faultPauseMs)
      }
    }
  }

  /** Starts the due deliveries for which there is room. Returns when the next one is due. */
  async #start(): Promise<number> {
    if (this.#options.mayWork?.() === false) return this.#clock() + faultPauseMs
    this.#ended.clear()
    await this.#trim()
    const { rows } = await this.#options.pool.query<Due>(nextOnes)
    const now = this.#clock()
    let nextAt = Number.POSITIVE_INFINITY
    // Healthy webhooks first, so that nobody waits behind those that do not answer; then the longest waiting.
    rows.sort(
      (a, b) => Number(a.failing_since !== null) - Number(b.failing_since !== null) || a.next_at - b.next_at || a.sequence - b.sequence,
    )
    for (const due of rows) if (due.next_at > now) nextAt = Math.min(nextAt, due.next_at)
    for (const due of inTurns(rows.filter(({ next_at }) => next_at <= now))) if (this.#hasRoom(due)) this.#send(due)
    return nextAt
  }

  /** Gives up the oldest deliveries beyond an account's quota: receivers that are away for days do not fill the table. */
  async #trim(): Promise<void> {
    const now = performance.now()
    if (now - this.#trimmedAt < backlogEveryMs) return
    this.#trimmedAt = now
    await this.#options.pool.query(tooMany, [backlogMax])
  }

  #hasRoom({ webhook, account, sequence, failing_since }: Due): boolean {
    const held = this.#accounts.get(account)
    if (held && (held.all >= perAccountMax || (failing_since !== null && held.failing >= failingPerAccountMax))) return false
    const own = this.#underway.get(webhook)
    if (own?.has(sequence) || this.#ended.has(`${webhook} ${sequence}`) || this.#sends.size >= inFlightMax) return false
    if (failing_since === null) return (own?.size ?? 0) < perWebhookMax
    return (own?.size ?? 0) === 0 && this.#failingUnderway < failingMax
  }

  #send(due: Due): void {
    const own = this.#underway.get(due.webhook) ?? new Set()
    this.#underway.set(due.webhook, own.add(due.sequence))
    const isFailing = due.failing_since !== null
    if (isFailing) this.#failingUnderway++
    const held = this.#accounts.get(due.account) ?? { all: 0, failing: 0 }
    this.#accounts.set(due.account, held)
    held.all++
    if (isFailing) held.failing++
    const sent = this.#try(due)
      .catch((cause: unknown) => this.#options.log({ message: 'The result of a delivery could not be written', cause }))
      .finally(() => {
        own.delete(due.sequence)
        this.#ended.add(`${due.webhook} ${due.sequence}`)
        if (own.size === 0) this.#underway.delete(due.webhook)
        if (isFailing) this.#failingUnderway--
        held.all--
        if (isFailing) held.failing--
        if (held.all === 0) this.#accounts.delete(due.account)
        this.#sends.delete(sent)
        this.poke()
      })
    this.#sends.add(sent)
  }

  async #try(due: Due): Promise<void> {
    const answer = await this.#post(due)
    if (answer.problem === undefined) await this.#arrived(due, answer)
    else if (!this.#isStopping) await this.#missed(due, answer)
  }

  async #post(due: Due): Promise<Answer> {
    const body = bodyOf(due)
    let secrets: readonly string[]
    try {
      const sealed = [due.secret, (due.old_until ?? 0) > this.#clock() ? due.old_secret : null]
      secrets = sealed.filter((one) => one !== null).map((one) => this.#options.openSecret(one, due.id))
    } catch (cause) {
      this.#options.log({ message: 'A delivery cannot be signed', cause })
      return { problem: 'sealed', status: undefined, text: '', tookMs: 0 }
    }
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Candor-Webhooks/1',
      'candor-event-id': due.event_id,
      'candor-signature': signatureOf(body, secrets, this.#clock()),
    }
    return this.#options.sender.post(due.url, headers, body)
  }

  /** Writes both rows in one statement, the webhook's first as everywhere, so that no reader finds one without the other. */
  async #arrived({ webhook, sequence }: Due, { status, text, tookMs }: Answer): Promise<void> {
    await this.#options.pool.query(
      `with hook as (update webhooks set failing_since = null where number = $1 and failing_since is not null returning number)
       update webhook_deliveries set state = 'delivered', tries = tries + 1, last_at = $3, problem = null, status = $4, answer = $5, took_ms = $6
       where (select count(*) from hook) >= 0 and webhook = $1 and sequence = $2`,
      [webhook, sequence, this.#clock(), status, text, tookMs],
    )
  }

  async #missed(due: Due, { problem, status, text, tookMs }: Answer): Promise<void> {
    const { webhook, sequence } = due
    const { pool } = this.#options
    const now = this.#clock()
    const { rows } = await pool.query<{ since: number; isOn: boolean }>(
      `update webhooks set failing_since = coalesce(failing_since, $2) where number = $1 and deleted_at is null
       returning failing_since as since, off_at is null as "isOn"`,
      [webhook, now],
    )
    const hook = rows[0]
    if (hook === undefined) return
    const nextAt = now + this.#delay(due.tries + 1)
    const state = nextAt > due.since + this.#times.giveUpMs || !hook.isOn ? 'failed' : 'waiting'
    // A replay that the owner asked for while this try was in flight takes precedence.
    await pool.query(
      `update webhook_deliveries set tries = tries + 1, last_at = $3, problem = $4, status = $5, answer = $6, took_ms = $7,
         state = case when since = $8 then $9 else state end, next_at = case when since = $8 then $10 else next_at end
       where webhook = $1 and sequence = $2`,
      [webhook, sequence, now, problem, status ?? null, text, tookMs, due.since, state, nextAt],
    )
    if (hook.isOn && now - hook.since >= this.#times.offMs) await this.#switchOff(webhook, now)
  }

  async #switchOff(webhook: number, now: number): Promise<void> {
    await this.#options.pool.query(
      `with gone as (
         update webhooks set off_at = $2, off_by = 'failing', told_at = null where number = $1 and off_at is null and deleted_at is null
         returning number
       ), left_over as (
         update webhook_deliveries set state = 'failed' where webhook in (select number from gone) and state = 'waiting'
       )
       update webhook_state set version = version + 1 where exists (select from gone)`,
      [webhook, now],
    )
    this.#options.onOff?.()
  }

  /**
   * Delay in milliseconds after this many tries. Spread at random, so that a receiver that comes back does not get everything at
   * once.
   */
  #delay(tries: number): number {
    const { delayMs, delayMaxMs } = this.#times
    return Math.round(Math.min(delayMs * delayFactor ** (tries - 1), delayMaxMs) * (1 - delaySpread + 2 * delaySpread * Math.random()))
  }

  async #rest(ms: number): Promise<void> {
    if (this.#isPoked || ms <= 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, this.#times.pollMs))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
  }
}
