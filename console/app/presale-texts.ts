/** Texts of the page of presales. They are long, and are loaded with it. */
export { presales } from '../texts/en/presales.ts'
