/** Texts of the pages about coins that come and go. They are long, and are loaded with those pages. */
export { deposits } from '../texts/en/deposits.ts'
export { treasury } from '../texts/en/treasury.ts'
export { withdrawals } from '../texts/en/withdrawals.ts'
