/** The question for another login, which some changes need. The shell shows it. */
import { Shared } from './store.ts'

/** Answers the open question: whether the member has logged in again. Undefined: no question is open. */
export const freshQuestion = new Shared<((hasLoggedIn: boolean) => void) | undefined>(undefined)

/** Resolves to whether the member has logged in again. A second question joins the open one. */
export function askFresh(): Promise<boolean> {
  open ??= new Promise<boolean>((resolve) => {
    freshQuestion.set((hasLoggedIn) => {
      freshQuestion.set(undefined)
      open = undefined
      resolve(hasLoggedIn)
    })
  })
  return open
}

let open: Promise<boolean> | undefined
