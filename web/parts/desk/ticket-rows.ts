/** Styles of the rows of figures above a ticket's button. */
export const ticketRows =
  'flex flex-col gap-1 text-12 [&>div]:flex [&>div]:justify-between [&>div]:gap-2 [&_dd]:truncate [&_dd]:text-fg [&_dt]:shrink-0 [&_dt]:text-fg2'
