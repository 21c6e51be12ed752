import { type Dispatch, type SetStateAction, useLayoutEffect, useState } from 'react'
import { useIsWide } from './use-is-wide.ts'

/** The form of the ticket that was mounted last, and its desk in its layout. */
let last: readonly [layout: string, form: unknown] | undefined

/**
 * State of a ticket. Where the one before it was of the same desk in the other layout, it begins with what was typed there; a desk that
 * is opened again in the same layout begins anew. `desk`: its path and market, and with them the type of the form.
 */
export function useDraft<Form>(desk: string, begin: () => Form): readonly [Form, Dispatch<SetStateAction<Form>>] {
  const [wide] = useState(useIsWide())
  const state = useState(() => (last?.[0] === desk + !wide ? (last[1] as Form) : begin()))
  // Kept with each change: the next ticket is rendered before this one is gone.
  useLayoutEffect(() => {
    last = [desk + wide, state[0]]
  })
  return state
}
