import { ApiError } from '@candor/client/errors.ts'
import type { WireAuthenticator } from '@candor/core/protocol/wire/factors.ts'
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useTranslation } from '../../app/translate.ts'
import { factors } from '../../parts/account/factors.ts'
import { withProof } from '../../parts/account/proof.ts'
import { toastProblem } from '../../parts/ui/toast.tsx'

export type Fresh = UseMutationResult<WireAuthenticator, Error, void>

/** A new secret, asked for by a tap. It counts once a code of it is confirmed. */
export function useNewAuthenticator(): Fresh {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: () => withProof(() => factors.newAuthenticator()),
    onError: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'PROOF_NEEDED') toastProblem(error, t)
    },
  })
}
