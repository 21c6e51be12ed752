/** The unit of a ticket's amount. */
export type Unit = 'base' | 'quote'

/** The amount before the last change of unit, as typed, and what it became. */
export type Origin = { readonly amount: string; readonly became: string }

type Measured = { readonly amount: string; readonly unit: Unit; readonly origin?: Origin | undefined }

/**
 * The form with its amount in `unit`. An amount that nobody changed since the last change of unit returns as it was typed, so that
 * switching back and forth never makes it smaller. Any other becomes what `convert` gives.
 */
export function inUnit<Form extends Measured>(form: Form, unit: Unit, convert: () => string): Form {
  if (unit === form.unit) return form
  const { origin, amount } = form
  if (origin !== undefined && amount !== '' && origin.became === amount) return { ...form, unit, amount: origin.amount, origin: undefined }
  const became = amount === '' ? '' : convert()
  return { ...form, unit, amount: became, origin: became === '' ? undefined : { amount, became } }
}
