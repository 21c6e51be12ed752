/** Spot orders have no rules of their own: those of orders in all markets hold. */
export * from './orders.ts'
