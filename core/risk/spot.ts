/** Spot orders have no rules of their own: the rules for orders in all markets apply. */
export * from './orders.ts'
