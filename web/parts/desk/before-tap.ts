/**
 * The errors of a ticket that are shown before an attempt to send: those of filled fields. `quiet` fields say nothing: the one that is
 * being filled in, and the amount while the ticket's button says that the account is empty.
 */
export function beforeTap<Field extends string, Name extends string>(
  wrong: Readonly<Partial<Record<Field, Name>>>,
  form: Readonly<Record<Field, string>>,
  quiet: readonly (string | undefined)[],
): Readonly<Partial<Record<Field, Name>>> {
  const entries = Object.entries(wrong) as [Field, Name][]
  return Object.fromEntries(
    entries.filter(([field, name]) => name !== 'FIELD_MISSING' && form[field] !== '' && !quiet.includes(field)),
  ) as Partial<Record<Field, Name>>
}
