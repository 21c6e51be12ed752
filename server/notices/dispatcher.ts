import { setTimeout as sleep } from 'node:timers/promises'
import type { NoticeKind, PushPayload } from '@candor/core/protocol/wire/notices.ts'
import type pg from 'pg'
import { textsOf } from '../messages/render.ts'
import type { Clock, Messages } from '../ports.ts'

/** `gone`: will never arrive. `failed`: may arrive later. */
export type Sent = 'sent' | 'gone' | 'failed'

/** A browser that asked for push messages. */
export type PushTo = { readonly subscription: string; readonly target: Buffer; readonly payload: PushPayload; readonly isUrgent: boolean }

export type DispatcherOptions = {
  readonly pool: pg.Pool
  readonly messages: Messages
  /** The owner's own words, by which they recognize a mail of the exchange. */
  readonly phraseOf: (account: { readonly id: string; readonly phrase: Buffer | null }) => { readonly phrase?: string }
  /** Counts a text message of this kind. False: the account has had too many of the kind today. */
  readonly mayText: (account: string, kind: NoticeKind) => Promise<boolean>
  /** A new link by which the owner freezes the account. It works once `keep` has stored it. */
  readonly freezeLink: (account: string) => { readonly link: string; readonly keep: () => Promise<unknown> }
  readonly push: (to: PushTo) => Promise<Sent>
  readonly onFault: (cause: unknown) => void
  readonly clock?: Clock
  readonly pollMs?: number
}

/** Kinds about what a thief might have done: their messages have a link by which the owner freezes the account. */
const alarming: ReadonlySet<NoticeKind> = new Set<NoticeKind>(['withdrawal-requested'])
const sendsAtOnce = 20
const triesMax = 5
/** Pause after the first failure; each further one is four times as long. */
const firstPauseMs = 30_000
const pauseFactor = 4
/** What could not be sent for so long is no news any more. */
const staleMs = 86_400_000
/**
 * Messages about frequent events that an account gets in an hour of the clock, by mail and on each browser. Programs make thousands of
 * them, and those of all others would wait behind. The inbox has the others.
 */
export const frequentPerHour = 100
const hourMs = 3_600_000
const sessionIdleMs = 30 * 86_400_000

type Due = {
  readonly number: number
  readonly notice: number
  readonly channel: 'mail' | 'sms' | 'push'
  readonly tries: number
  /** Whether events of this kind are frequent. */
  readonly is_quiet: boolean
  readonly kind: NoticeKind
  readonly data: Readonly<Record<string, string>>
  readonly created_at: number
  readonly account: string
  readonly email: string | null
  readonly phone: string | null
  readonly lang: string
  readonly phrase: Buffer | null
  readonly subscription: string | null
  /** Null: its session has ended. */
  readonly target: Buffer | null
}

/** The next ones, frequent kinds last: no customer's many fills hold up what others must know. Their next attempt is set before they are sent, so that a process that ends meanwhile sends them again. */
const takeDue = `
  with due as (
    update notice_sends set tries = tries + 1, next_at = $1 + ${firstPauseMs} * (${pauseFactor} ^ tries)::bigint
    where number in (select number from notice_sends where next_at <= $1 order by is_quiet, next_at, number limit ${sendsAtOnce} for update skip locked)
    returning number, notice, channel, subscription, tries, is_quiet
  )
  select due.*, n.kind, n.data, n.created_at, a.id as account, a.email, a.phone, a.lang, a.phrase, p.target
  from due join notices n on n.number = due.notice join accounts a on a.id = n.account
  left join (push_subscriptions p join sessions s on s.id = p.session and s.revoked_at is null and s.last_seen_at > $1 - ${sessionIdleMs})
    on p.id = due.subscription
  order by due.number`

/** Sends notices by mail, message and push, each until it arrives or was tried often enough. */
export class Dispatcher implements AsyncDisposable {
  readonly #options: DispatcherOptions
  readonly #clock: Clock
  readonly #running: Promise<void>
  /** Frequent messages of the present hour, by the address they go to. */
  readonly #frequent = new Map<string, number>()
  #hour = 0
  #isStopping = false
  #wake: (() => void) | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#clock = options.clock ?? Date.now
    this.#running = this.#run()
  }

  /** Looks for due notices now. */
  poke(): void {
    this.#wake?.()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true
    this.#wake?.()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      const found = await this.#round().catch((cause: unknown) => {
        if (!this.#isStopping) this.#options.onFault(cause)
        return 0
      })
      if (found < sendsAtOnce && !this.#isStopping) await this.#rest()
    }
  }

  async #round(): Promise<number> {
    const { rows } = await this.#options.pool.query<Due>(takeDue, [this.#clock()])
    const results = await Promise.all(rows.map(async (due) => ({ due, sent: await this.#send(due) })))
    const done = results.filter(({ due, sent }) => sent !== 'failed' || due.tries >= triesMax).map(({ due }) => due.number)
    if (done.length > 0) await this.#options.pool.query('delete from notice_sends where number = any($1)', [done])
    return rows.length
  }

  async #send(due: Due): Promise<Sent> {
    if (this.#clock() - due.created_at > staleMs) return 'gone'
    if (due.is_quiet && due.tries === 1 && this.#isTooMuch(due)) return 'gone'
    try {
      return due.channel === 'push' ? await this.#push(due) : await this.#write(due, due.channel)
    } catch (cause) {
      this.#options.onFault(cause)
      return (cause as { isRetryable?: boolean } | null)?.isRetryable === false ? 'gone' : 'failed'
    }
  }

  /** Counts a frequent message. */
  #isTooMuch({ channel, account, subscription }: Due): boolean {
    const hour = Math.floor(this.#clock() / hourMs)
    if (hour !== this.#hour) this.#frequent.clear()
    this.#hour = hour
    const to = `${channel} ${subscription ?? account}`
    const count = (this.#frequent.get(to) ?? 0) + 1
    this.#frequent.set(to, count)
    return count > frequentPerHour
  }

  async #write(due: Due, channel: 'mail' | 'sms'): Promise<Sent> {
    const to = channel === 'mail' ? due.email : due.phone
    if (to === null) return 'gone'
    if (channel === 'sms' && due.tries === 1 && !(await this.#options.mayText(due.account, due.kind))) return 'gone'
    const freezing = alarming.has(due.kind) ? this.#options.freezeLink(due.account) : undefined
    await freezing?.keep()
    await this.#options.messages.send({
      ...{ channel: channel === 'mail' ? 'email' : 'phone', to, lang: due.lang, template: due.kind },
      values: { ...due.data, time: String(due.created_at) },
      ...this.#options.phraseOf({ id: due.account, phrase: due.phrase }),
      ...(freezing === undefined ? {} : { freezeLink: freezing.link }),
    })
    return 'sent'
  }

  async #push({ target, subscription, kind, lang, notice, data }: Due): Promise<Sent> {
    if (target === null || subscription === null) return 'gone'
    const texts = textsOf(lang)
    const body = texts.templates[kind === 'order-filled' && data['rest'] !== undefined ? 'order-cut' : kind].subject
    const payload = { title: 'Candor', body, tag: `notice-${notice}`, url: '/#/notices', lang: texts.locale }
    return this.#options.push({ subscription, target, payload, isUrgent: kind !== 'order-filled' && kind !== 'second-settled' })
  }

  async #rest(): Promise<void> {
    const waking = new AbortController()
    this.#wake = () => waking.abort()
    await sleep(this.#options.pollMs ?? 1_000, undefined, { signal: waking.signal, ref: false }).catch(() => undefined)
    this.#wake = undefined
  }
}
