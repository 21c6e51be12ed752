/** The last command in the tables that an answer was read from, and its time. */
export type TablesAt = { readonly seq: number; readonly at: number }
