import type { Event } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Words } from './words.ts'

/**
 * What one customer is told of an event. `to` 0: nobody. `facts` has its names in rising order, also in inner objects; undefined ones
 * are left out. It has no number, name or order of anybody else.
 */
export type Told<E> = { readonly to: (event: E) => UserId; readonly facts: (event: E, words: Words) => object }

/**
 * Which customers an event is of, and what they are told. `public`: anybody can see it. `house`: it concerns the exchange alone, or what
 * the exchange thinks of a customer.
 */
export type Telling<E> = readonly Told<E>[] | 'public' | 'house'

/** One line per event: a new one does not compile until it is decided who is told of it. */
export type Tellings<E extends Event> = { readonly [T in E['type']]: Telling<Extract<E, { readonly type: T }>> }

/** An event of its `user`. */
export function own<E extends { readonly user: UserId }>(facts: Told<E>['facts']): readonly Told<E>[] {
  return [{ to: ({ user }) => user, facts }]
}
