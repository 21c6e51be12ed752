import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known } from './known.ts'

export type UserRow = {
  readonly user: UserId
  readonly class: string
  readonly referrer: UserId
  readonly isFrozen: boolean
  readonly tier: number
  readonly isCertified: boolean
  readonly isHouse: boolean
}

/** Users as the core knows them, which is without names. */
export class UserProjection {
  readonly #known: Known
  readonly #users = new Map<UserId, UserRow>()
  readonly #changed = new Set<UserId>()
  readonly #rows = new Columns(
    'core_users',
    {
      user_id: 'bigint',
      class: 'text',
      referrer: 'bigint',
      is_frozen: 'boolean',
      tier: 'integer',
      is_certified: 'boolean',
      is_house: 'boolean',
    },
    `(user_id) do update set ${overwrite('is_frozen', 'tier', 'is_certified', 'is_house')}`,
  )

  constructor(known: Known, users: readonly UserRow[]) {
    this.#known = known
    for (const row of users) this.#learn(row)
  }

  get size(): number {
    return this.#changed.size
  }

  apply(event: Event): void {
    if (event.type === 'user.opened') {
      this.#change({
        user: event.user,
        class: event.class,
        referrer: event.referrer,
        isFrozen: false,
        tier: 0,
        isCertified: false,
        isHouse: false,
      })
    } else if (event.type === 'user.changed') {
      this.#change({ ...this.#user(event.user), isFrozen: event.isFrozen })
    } else if (event.type === 'user.certified') {
      this.#change({ ...this.#user(event.user), isCertified: event.isCertified })
    } else if (event.type === 'user.housed') {
      this.#change({ ...this.#user(event.user), isHouse: event.isHouse })
    } else if (event.type === 'user.tierChanged') {
      this.#change({ ...this.#user(event.user), tier: event.tier })
    }
  }

  take(): readonly (Statement | undefined)[] {
    for (const user of this.#changed) {
      const row = this.#user(user)
      this.#rows.push(row.user, row.class, row.referrer, row.isFrozen, row.tier, row.isCertified, row.isHouse)
    }
    this.#changed.clear()
    return [this.#rows.take()]
  }

  #change(row: UserRow): void {
    this.#learn(row)
    this.#changed.add(row.user)
  }

  #learn(row: UserRow): void {
    this.#users.set(row.user, row)
    if (row.class !== 'retail') this.#known.addQuiet(row.user)
  }

  #user(user: UserId): UserRow {
    const row = this.#users.get(user)
    if (row === undefined) throw new Error(`User ${user} is in an event before being opened`)
    return row
  }
}
