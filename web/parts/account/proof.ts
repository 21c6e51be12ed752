/** Changes that may need a proof of who the user is. */
import { ApiError } from '@candor/client/errors.ts'
import { create } from 'zustand'

type Asking = { readonly waiting: readonly ((isProven: boolean) => void)[] }

const useAsking = create<Asking>(() => ({ waiting: [] }))

/**
 * Makes a change. If the exchange asks for a proof first, the sheet of `ProofGate` opens, and after the proof the change is made
 * again. A proof that the user leaves ends the change with the refusal.
 */
export async function withProof<Answer>(change: () => Promise<Answer>): Promise<Answer> {
  try {
    return await change()
  } catch (error) {
    const needsProof = error instanceof ApiError && error.code === 'PROOF_NEEDED'
    if (!needsProof || !(await askForProof())) throw error
    return change()
  }
}

/** Whether a change waits for a proof. */
export function useIsAsking(): boolean {
  return useAsking(({ waiting }) => waiting.length > 0)
}

/** Continues the waiting changes, or ends them. */
export function endAsking(isProven: boolean): void {
  const { waiting } = useAsking.getState()
  useAsking.setState({ waiting: [] })
  for (const resolve of waiting) resolve(isProven)
}

function askForProof(): Promise<boolean> {
  return new Promise((resolve) => useAsking.setState(({ waiting }) => ({ waiting: [...waiting, resolve] })))
}
