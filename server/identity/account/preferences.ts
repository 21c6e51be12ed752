import type { PreferenceName, WirePreference, WirePreferenceChange } from '@candor/core/protocol/wire/own/preferences.ts'
import { Refused } from '../../refused.ts'
import type { IdentityDb } from '../tables.ts'

/** Small settings of accounts. The routes check the shape of each. */
export class AccountPreferences {
  readonly #db: IdentityDb

  constructor(db: IdentityDb) {
    this.#db = db
  }

  async get<Name extends PreferenceName>(account: string, name: Name): Promise<WirePreference<Name>> {
    const row = await this.#db
      .selectFrom('preferences')
      .select(['revision', 'value'])
      .where('account', '=', account)
      .where('name', '=', name)
      .executeTakeFirst()
    return (row ?? { revision: 0 }) as WirePreference<Name>
  }

  /**
   * Replaces the value if nobody else has since the caller read it.
   *
   * throws  Refused PREFERENCE_STALE
   */
  async set<Name extends PreferenceName>(
    account: string,
    name: Name,
    { revision, value }: WirePreferenceChange<Name>,
  ): Promise<WirePreference<Name>> {
    const text = JSON.stringify(value)
    const next = revision + 1
    const written =
      revision === 0
        ? await this.#db
            .insertInto('preferences')
            .values({ account, name, revision: next, value: text })
            .onConflict((conflict) => conflict.columns(['account', 'name']).doNothing())
            .returning('revision')
            .executeTakeFirst()
        : await this.#db
            .updateTable('preferences')
            .set({ revision: next, value: text })
            .where('account', '=', account)
            .where('name', '=', name)
            .where('revision', '=', revision)
            .returning('revision')
            .executeTakeFirst()
    if (written === undefined) throw new Refused('PREFERENCE_STALE', { field: 'revision' })
    return { revision: next, value }
  }
}
